//! `souk trace`: draws a trace for `souk simulate --format gavel`.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use scheduler::simulation::gavel;
use scheduler::simulation::gavel_recipe::{self, draw};

use super::files;

/// Draw a trace by a published recipe, for simulate --format gavel.
#[derive(Debug, Args)]
pub struct Trace {
    /// What is drawn
    #[arg(long)]
    recipe: Recipe,

    /// Jobs to draw
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    jobs: u32,

    /// Mean time between two arrivals
    #[arg(long, required_if_eq("recipe", "arrivals"), value_parser = clap::value_parser!(u32).range(1..=31_536_000))]
    gap_seconds: Option<u32>,

    /// The same seed draws the same trace, here and with Gavel's own generator
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    seed: u64,

    /// Gavel's throughputs: a job's steps are its duration times its speed on a V100
    #[arg(long, value_name = "FILE")]
    throughputs: PathBuf,

    /// File to write the trace to, which must not exist; standard output unless given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Recipes of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Recipe {
    /// All jobs there from the start: half an hour to 12 hours on gangs of 1, 2 and 4
    Static,
    /// One job after the other, gaps exponential: half an hour to 7 days on gangs of 1, 2, 4 and 8
    Arrivals,
}

impl Trace {
    /// Draws it and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let recipe = self.recipe()?;
        let table = files::read(&self.throughputs, gavel::throughputs(&files::text(&self.throughputs)?))?;
        let trace = files::read(&self.throughputs, draw(recipe, usize::try_from(self.jobs)?, self.seed, &table))?;
        match &self.out {
            Some(path) => files::write_new(path, &trace),
            None => Ok(std::io::stdout().lock().write_all(trace.as_bytes())?),
        }
    }

    fn recipe(&self) -> anyhow::Result<gavel_recipe::Recipe> {
        match (self.recipe, self.gap_seconds) {
            (Recipe::Static, None) => Ok(gavel_recipe::Recipe::Static),
            (Recipe::Static, Some(_)) => {
                anyhow::bail!(
                    "--gap-seconds goes with --recipe arrivals: the jobs of a static trace are all there at once"
                )
            }
            (Recipe::Arrivals, gap) => {
                let gap = gap.context("--recipe arrivals needs --gap-seconds")?;
                Ok(gavel_recipe::Recipe::Arrivals { gap_s: f64::from(gap) })
            }
        }
    }
}
