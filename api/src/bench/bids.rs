//! How many bids a second a server takes over HTTP, next to plain one-row commits into the same PostgreSQL: both in turn
//! in one run, so that whatever else the machine does falls on both.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use sqlx::{Connection as _, PgConnection};

use super::inserts::Inserts;
use super::load::Load;
use super::market::{Market, Scratch};
use super::{Figures, Summary};

/// Tenants among whom the bids are spread.
const TENANTS: usize = 8;
/// How long caches, connections and prepared statements get before anything counts.
const WARM_UP: Duration = Duration::from_secs(1);

/// Segments of 16 MiB, enough for a minute of either.
const LOG_SEGMENTS: usize = 48;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Callers at once, and connections of the comparison.
    pub clients: usize,
    /// Time for bids, and as much again for the comparison.
    pub time: Duration,
    /// Parts into which the time is cut.
    pub rounds: u32,
    /// Where the database's folder goes.
    pub below: PathBuf,
}

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Callers at once.
    pub clients: usize,
    /// Bids over HTTP.
    pub bids: Summary,
    /// Plain commits.
    pub inserts: Summary,
    /// Bids per plain commit, over the whole time.
    pub ratio: f64,
    /// The same, round by round.
    pub ratio_of_rounds: Vec<f64>,
}

/// Measures. On the main thread and outside of any runtime.
pub fn measure(plan: &Plan) -> anyhow::Result<Report> {
    let scratch = Scratch::below(&plan.below)?;
    let postgres = scratch.postgres()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(run(plan, postgres.url()));
    drop(runtime);
    postgres.stop()?;
    report
}

async fn run(plan: &Plan, url: &str) -> anyhow::Result<Report> {
    age_log(url).await?;
    let market = Market::open(url, TENANTS).await?;
    let mut load = Load::open(&market.tenants, plan.clients).await?;
    let mut inserts = Inserts::open(url, plan.clients).await?;
    load.run(WARM_UP).await?;
    inserts.run(WARM_UP).await?;
    let (mut bids, mut rows, mut ratios) = (Figures::default(), Figures::default(), Vec::new());
    for _ in 0..plan.rounds {
        let slice = plan.time / plan.rounds;
        let (round_of_bids, round_of_rows) = (load.run(slice).await?, inserts.run(slice).await?);
        ratios.push(ratio(round_of_bids.summary(), round_of_rows.summary()));
        bids.append(&round_of_bids);
        rows.append(&round_of_rows);
    }
    market.close().await;
    let (bids, inserts) = (bids.summary(), rows.summary());
    Ok(Report { clients: plan.clients, bids, inserts, ratio: ratio(bids, inserts), ratio_of_rounds: ratios })
}

/// Gives the database a log that was written once around, as it has after its first checkpoint and ever after: it then
/// writes over segments it has. A new one fills each with zeros first, which took 23 % of its processor time under bids.
async fn age_log(url: &str) -> anyhow::Result<()> {
    let mut connection = PgConnection::connect(url).await?;
    for _ in 0..LOG_SEGMENTS {
        sqlx::query("SELECT pg_logical_emit_message(false, 'bench', 'segment'), pg_switch_wal()")
            .execute(&mut connection)
            .await?;
    }
    sqlx::query("CHECKPOINT").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

fn ratio(bids: Summary, inserts: Summary) -> f64 {
    bids.per_second / inserts.per_second.max(f64::EPSILON)
}
