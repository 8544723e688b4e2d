//! `souk compare`: runs of `souk simulate` side by side, as a table and as a page with plots.

mod page;
mod plot;
mod runs;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use runs::Run;

/// Compare runs of simulate: print a table and write a page with plots.
#[derive(Debug, Args)]
pub struct Compare {
    /// Folders that `souk simulate --out` wrote
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,

    /// The page
    #[arg(long, value_name = "FILE", default_value = "comparison.html")]
    html: PathBuf,
}

impl Compare {
    /// Reads, prints and writes.
    pub fn run(self) -> anyhow::Result<()> {
        let runs: Vec<Run> = self.runs.iter().map(|folder| Run::read(folder)).collect::<anyhow::Result<_>>()?;
        std::io::stdout().lock().write_all(table(&runs).as_bytes())?;
        std::fs::write(&self.html, page::page(&runs))
            .with_context(|| format!("{} cannot be written", self.html.display()))
    }
}

/// Heads of the columns; what they show follows from [`Run::figures`].
const HEADS: [&str; 8] = ["run", "policy", "done", "makespan h", "mean jct h", "p95 rho", "worst rho", "rho > 1.05 %"];

fn table(runs: &[Run]) -> String {
    let rows: Vec<Vec<String>> =
        std::iter::once(HEADS.map(str::to_owned).to_vec()).chain(runs.iter().map(Run::figures)).collect();
    let widths: Vec<usize> =
        (0..HEADS.len()).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        format!("{}\n", cells.join("  "))
    };
    rows.iter().map(line).collect()
}
