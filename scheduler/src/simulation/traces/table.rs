//! Separated values with a header or without, read cell by cell; a bad cell names its line and column.

use std::str::FromStr;

/// Why a trace cannot be read: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// Counted from 1, the header included.
    pub line: usize,
    /// What is wrong, as a sentence for people.
    pub problem: String,
}

impl LineError {
    pub(crate) fn new(line: usize, problem: impl Into<String>) -> Self {
        Self { line, problem: problem.into() }
    }
}

/// One line of a table, with the names of its columns.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    line: usize,
    columns: &'a [&'a str],
    cells: Vec<&'a str>,
}

/// The rows of a table with a header, which must name at least `columns`; others are ignored, blank lines too. Rows come
/// with their cells in the order of `columns`.
///
/// # Errors
/// A missing header or column, or a row with too few cells.
pub fn with_header<'a>(text: &'a str, columns: &'a [&'a str]) -> Result<Vec<Row<'a>>, LineError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (at, header) = lines.next().ok_or_else(|| {
        LineError::new(1, format!("the file is empty; expected a header with {}", columns.join(", ")))
    })?;
    let named: Vec<&str> = header.split(',').map(str::trim).collect();
    let places = columns.iter().map(|column| {
        named.iter().position(|name| name == column).ok_or_else(|| {
            LineError::new(at + 1, format!("the header has no column `{column}`; expected {}", columns.join(", ")))
        })
    });
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let rows = lines.map(|(at, line)| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cells = places.iter().map(|place| {
            let cell = cells.get(*place).copied();
            cell.ok_or_else(|| wrong_count(at + 1, cells.len(), named.len(), "commas"))
        });
        Ok(Row { line: at + 1, columns, cells: cells.collect::<Result<_, _>>()? })
    });
    rows.collect()
}

/// The rows of a table without a header, with exactly `columns`, separated by tabs; blank lines are skipped.
///
/// # Errors
/// A row with another number of cells.
pub fn by_tabs<'a>(text: &'a str, columns: &'a [&'a str]) -> Result<Vec<Row<'a>>, LineError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(at, line)| {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        if cells.len() == columns.len() {
            Ok(Row { line: at + 1, columns, cells })
        } else {
            Err(wrong_count(at + 1, cells.len(), columns.len(), "tabs"))
        }
    });
    rows.collect()
}

fn wrong_count(line: usize, found: usize, expected: usize, separators: &str) -> LineError {
    LineError::new(line, format!("found {found} columns where {expected} separated by {separators} are expected"))
}

impl<'a> Row<'a> {
    /// Counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The cell of a column, by its place among the columns asked for.
    #[must_use]
    pub fn text(&self, column: usize) -> &'a str {
        self.cells[column]
    }

    /// A cell as a whole number or an identifier.
    ///
    /// # Errors
    /// The cell is not one.
    pub fn parse<T: FromStr>(&self, column: usize, what: &str) -> Result<T, LineError> {
        self.cells[column].parse().map_err(|_| self.wrong(column, what))
    }

    /// A cell as a finite number that is not negative.
    ///
    /// # Errors
    /// The cell is not one.
    pub fn amount(&self, column: usize, what: &str) -> Result<f64, LineError> {
        let amount: f64 = self.parse(column, what)?;
        if amount.is_finite() && amount >= 0.0 { Ok(amount) } else { Err(self.wrong(column, what)) }
    }

    /// A cell as a whole number of at least one.
    ///
    /// # Errors
    /// The cell is not one.
    pub fn count(&self, column: usize, what: &str) -> Result<u32, LineError> {
        match self.parse(column, what)? {
            0 => Err(self.wrong(column, what)),
            count => Ok(count),
        }
    }

    /// What is wrong with a cell.
    #[must_use]
    pub fn wrong(&self, column: usize, what: &str) -> LineError {
        let (name, cell) = (self.columns[column], self.cells[column]);
        LineError::new(self.line, format!("`{name}` says `{cell}`, which is not {what}"))
    }
}
