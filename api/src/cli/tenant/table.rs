//! Aligned columns, and durations as people say them.

use std::io::Write as _;

/// Rows of cells under a heading. Numbers belong to the right.
pub(super) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A heading that begins with `>` belongs to the right.
    pub(super) fn new(headings: &[&'static str]) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether there is any row.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines.
    pub(super) fn lines(&self) -> Vec<String> {
        let name = |heading: &&'static str| heading.trim_start_matches('>').to_owned();
        let head: Vec<String> = self.headings.iter().map(name).collect();
        let all: Vec<&Vec<String>> = std::iter::once(&head).chain(&self.rows).collect();
        let widths: Vec<usize> = (0..head.len())
            .map(|column| {
                all.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        let line = |row: &&Vec<String>| {
            let cells = row.iter().zip(&widths).zip(&self.headings).map(|((cell, width), heading)| {
                if heading.starts_with('>') { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        all.iter().map(line).collect()
    }

    /// Prints the table, and a sentence below it.
    pub(super) fn print(&self, sentence: &str) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if !self.is_empty() {
            for line in self.lines() {
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out, "{sentence}")
    }
}

/// `2 d 3 h`, `1 h 5 min`, `40 s`.
pub(super) fn duration(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, ..) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["NAME", ">PRICE"]);
        table.row(["a".to_owned(), "12.50".to_owned()]);
        table.row(["longer".to_owned(), "1.5".to_owned()]);
        assert_eq!(table.lines(), ["NAME    PRICE", "a       12.50", "longer    1.5"]);
    }

    #[test]
    fn durations_have_two_units_at_most() {
        let said = [40, 300, 3900, 187_200].map(duration);
        assert_eq!(said, ["40 s", "5 min", "1 h 5 min", "2 d 4 h"]);
    }
}
