//! `souk audit`

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use scheduler::record::hex;
use scheduler::replay;
use scheduler::world::ids::PoolId;

use super::database::Database;
use crate::app::audit_rounds::{Range, Report, audit_rounds};
use crate::store;

/// Replay stored rounds and check everything that was written about them.
#[derive(Debug, Args)]
pub struct Audit {
    /// PostgreSQL of the marketplace; without it the embedded one of the data directory
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,

    /// Where the embedded database keeps its files
    #[arg(long, env = "SOUK_DATA_DIR", default_value = ".souk")]
    data_dir: PathBuf,

    /// Only this pool
    #[arg(long)]
    pool: Option<PoolId>,

    /// From this round on
    #[arg(long, default_value_t = 1)]
    from: i64,

    /// Up to this round
    #[arg(long)]
    to: Option<i64>,

    /// Fail unless a pool's chain ends with this hash, kept from an earlier audit
    #[arg(long, value_name = "HASH")]
    head: Option<String>,

    /// Replay one record that was downloaded, without any database
    #[arg(long, value_name = "PATH", conflicts_with_all = ["pool", "from", "to", "head", "database_url"])]
    file: Option<PathBuf>,
}

impl Audit {
    /// Prints one line per pool and per finding; fails if there is any.
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.file {
            let plan = replay(&std::fs::read_to_string(path)?)?;
            writeln!(std::io::stdout(), "replays to the same plan: {} grants", plan.grants.len())?;
            return Ok(());
        }
        let database = Database::open(self.database_url.as_deref(), &self.data_dir)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let report = runtime.block_on(self.audit(&database.url));
        drop(runtime);
        database.close()?;
        self.tell(&report?)
    }

    async fn audit(&self, url: &str) -> anyhow::Result<Report> {
        let db = store::connect(url, 1).await?;
        let report = audit_rounds(&db, Range { pool: self.pool, from: self.from, to: self.to }).await?;
        db.close().await;
        Ok(report)
    }

    fn tell(&self, report: &Report) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        for audited in &report.pools {
            let (number, hash) = (audited.head.number, hex(&audited.head.hash));
            writeln!(
                out,
                "{}: {} rounds replayed, the last is {number} with hash {hash}",
                audited.pool, audited.rounds
            )?;
        }
        for finding in &report.findings {
            writeln!(out, "{finding}")?;
        }
        anyhow::ensure!(report.findings.is_empty(), "{} findings", report.findings.len());
        if let Some(head) = &self.head {
            let known = report.pools.iter().any(|audited| hex(&audited.head.hash) == *head);
            anyhow::ensure!(known, "no pool's chain ends with {head}");
        }
        Ok(())
    }
}
