//! `souk demo`

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::database::Database;
use super::operator;
use crate::client::Client;
use crate::clock::SystemClock;
use crate::demo::arrival::Arrival;
use crate::demo::describe::Description;
use crate::demo::model::{Draw, Model};
use crate::demo::notebook::Notebook;
use crate::demo::trace::{self, Format};
use crate::demo::{self, Programme};
use crate::entropy::SystemEntropy;
use crate::telemetry;

/// Enough draws for two digits of every share.
const DRAWS: usize = 100_000;

/// Play demo providers and tenants on a running server, from the built-in workload or from a public trace.
#[derive(Debug, Args)]
pub struct Demo {
    /// The server to play on
    #[arg(long, env = "SOUK_URL", default_value = "http://127.0.0.1:8080")]
    server: String,

    /// Files of a public trace (nodes, demand, or both), or a folder of them; the built-in workload unless given
    #[arg(long, value_name = "FILE", requires = "format")]
    trace: Vec<PathBuf>,

    /// The form of these files
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Seconds of the trace in one second; unless given, as many as make the market lively
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    speed: Option<u32>,

    /// Seed of everything that is drawn: the same seed makes the same requests
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Nodes to list, at most
    #[arg(long, default_value_t = NODES, value_parser = clap::value_parser!(u32).range(1..=5000))]
    nodes: u32,

    /// PostgreSQL of the server, to make the demo's operator the first time; the embedded one unless given
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,

    /// The server's data directory, where the demo keeps its notes
    #[arg(long, env = "SOUK_DATA_DIR", default_value = ".souk")]
    data_dir: PathBuf,

    /// Print the workload's figures instead of playing it; with --trace, next to those of the trace
    #[arg(long)]
    describe: bool,

    /// With --describe: share of fair-share jobs among the draws, in percent
    #[arg(long, default_value_t = 10, requires = "describe", value_parser = clap::value_parser!(u8).range(0..=100))]
    job_percent: u8,
}

/// As many as the built-in workload has.
pub(super) const NODES: u32 = 150;

impl Demo {
    /// Plays until it is interrupted.
    pub fn run(self) -> anyhow::Result<()> {
        if self.describe {
            return self.describe();
        }
        telemetry::start(telemetry::USUAL);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.play())
    }

    async fn play(self) -> anyhow::Result<()> {
        let anyone = Client::new(&self.server)?;
        // A server that is not there, or that is not ours, says so here, before anything is made.
        let _pools: Value = anyone.get("/v1/pools").await?;
        let notebook = Notebook::open(&self.data_dir.join("demo"), &SystemEntropy)?;
        let database = || Ok(Database::running(self.database_url.as_deref(), &self.data_dir)?.url);
        let operator = operator::enter(&anyone, &notebook, database).await?;
        let programme = Programme {
            trace: self.format.filter(|_| !self.trace.is_empty()).map(|format| (self.trace.clone(), format)),
            seed: self.seed,
            speed: self.speed,
            nodes: usize::try_from(self.nodes)?,
        };
        let stop = CancellationToken::new();
        let interrupted = stop.clone();
        tokio::spawn(async move {
            let _told = tokio::signal::ctrl_c().await;
            interrupted.cancel();
        });
        demo::run(&programme, anyone, operator, notebook, Arc::new(SystemClock), stop).await?;
        Ok(())
    }

    fn describe(self) -> anyhow::Result<()> {
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
