//! `souk demo`

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::demo::arrival::Arrival;
use crate::demo::describe::Description;
use crate::demo::model::{Draw, Model};
use crate::demo::trace::{self, Format};

/// Enough draws for two digits of every share.
const DRAWS: usize = 100_000;

/// Describe the demo's workload, next to a trace.
#[derive(Debug, Args)]
pub struct Demo {
    /// Print the workload's figures instead of playing it; with --trace, next to those of the trace
    #[arg(long, required = true)]
    describe: bool,

    /// Files of a public trace: nodes, demand, or both
    #[arg(long, value_name = "FILE", requires = "format")]
    trace: Vec<PathBuf>,

    /// The form of these files
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Seed of the draws
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Share of fair-share jobs among the draws, in percent
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    job_percent: u8,
}

impl Demo {
    /// Prints the table.
    pub fn run(self) -> anyhow::Result<()> {
        let model = Model::built_in()?;
        let mut draw = Draw::new(&model, self.seed, 1000.0, f64::from(self.job_percent) / 100.0);
        let arrivals: Vec<Arrival> = (0..DRAWS).map(|_| draw.next_arrival()).collect::<Result<_, _>>()?;
        let mut columns = vec![("model", Description::of(&model.nodes, &arrivals))];
        if let Some(format) = self.format {
            let trace = trace::read(&self.trace, format, &model.speeds)?;
            columns.push(("trace", Description::of(&trace.nodes, &trace.arrivals)));
        }
        write!(std::io::stdout().lock(), "{}", Description::table(&columns))?;
        Ok(())
    }
}
