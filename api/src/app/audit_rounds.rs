//! Replays stored rounds and holds everything that was written about them against the records.
//!
//! Rounds are read in batches, in order; each batch is replayed on all cores while the next one is read.

use std::collections::BTreeMap;

use scheduler::RoundRecord;
use scheduler::record::hex;
use scheduler::world::ids::{PoolId, RentalId};
use sqlx::PgPool;
use tokio::task::JoinSet;

use crate::records::{Applied, Finding, GENESIS, Header, Stored, Summary, check};
use crate::store::audit::{self, Rented};
use crate::store::pool_leases::Head;
use crate::store::{StoreError, Tx, rounds};

/// Rounds read at once: bounds the memory of an audit.
const BATCH: i64 = 16;

/// Which rounds to audit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    /// One pool; all when absent.
    pub pool: Option<PoolId>,
    /// From this number on.
    pub from: i64,
    /// Up to this number; to the end when absent.
    pub to: Option<i64>,
}

/// What an audit found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Every pool that was audited.
    pub pools: Vec<Audited>,
    /// What is not as it was written, in order.
    pub findings: Vec<Finding>,
}

/// One pool's rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Audited {
    /// The pool.
    pub pool: PoolId,
    /// How many rounds were replayed.
    pub rounds: usize,
    /// The last of them. Its hash, kept elsewhere, proves later that nothing before it was rewritten.
    pub head: Head,
}

/// Audits the rounds of a range.
pub async fn audit_rounds(db: &PgPool, range: Range) -> Result<Report, AuditError> {
    let mut tx = Tx::begin_snapshot(db).await?;
    let heads = audit::heads(&mut tx).await?;
    let mut report = Report::default();
    for (pool, head) in heads.into_iter().filter(|(pool, _)| range.pool.is_none_or(|wanted| wanted == *pool)) {
        let audited = audit_pool(&mut tx, pool, head, range, &mut report.findings).await?;
        report.pools.push(audited);
    }
    tx.commit().await?;
    report.findings.sort();
    Ok(report)
}

/// Why an audit could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A replay did not come back.
    #[error("a replay failed: {0}")]
    Replay(#[from] tokio::task::JoinError),
}

async fn audit_pool(
    tx: &mut Tx,
    pool: PoolId,
    head: Head,
    range: Range,
    findings: &mut Vec<Finding>,
) -> Result<Audited, AuditError> {
    let from = range.from.max(1);
    let mut chain = Chain::begin(tx, pool, from, findings).await?;
    let mut replays = JoinSet::new();
    let mut rounds = 0;
    loop {
        let batch = rounds::stored(tx, pool, chain.next(), BATCH).await?;
        let batch: Vec<_> = batch.into_iter().filter(|round| range.to.is_none_or(|to| round.number <= to)).collect();
        collect(tx, pool, &mut replays, findings).await?;
        let Some(last) = batch.last().map(|round| round.number) else { break };
        rounds += batch.len();
        for stored in &batch {
            chain.follow(stored, findings);
        }
        chain.number = last;
        spread(&mut replays, batch);
    }
    if range.to.is_none() {
        chain.end(tx, head, findings).await?;
    }
    Ok(Audited { pool, rounds, head: Head { number: chain.number, hash: chain.hash } })
}

/// A round that was checked by itself, on its way to be held against the other tables.
type Checked = (Stored, Vec<Finding>, Option<(RoundRecord, Applied)>);

/// Cuts the batch into as many parts as there are cores.
fn spread(replays: &mut JoinSet<Vec<Checked>>, batch: Vec<Stored>) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = batch.len().div_ceil(cores).max(1);
    let mut rest = batch.into_iter().peekable();
    while rest.peek().is_some() {
        let part: Vec<_> = rest.by_ref().take(part).collect();
        replays.spawn_blocking(move || {
            let checked = |stored: Stored| {
                let (findings, parts) = check(&stored);
                (stored, findings, parts)
            };
            part.into_iter().map(checked).collect()
        });
    }
}

async fn collect(
    tx: &mut Tx,
    pool: PoolId,
    replays: &mut JoinSet<Vec<Checked>>,
    findings: &mut Vec<Finding>,
) -> Result<(), AuditError> {
    while let Some(checked) = replays.join_next().await {
        let checked = checked?;
        let numbers = || checked.iter().map(|(stored, ..)| stored.number);
        let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else { continue };
        let prices = audit::prices(tx, pool, first, last).await?;
        let granted =
            checked.iter().filter_map(|(_, _, parts)| parts.as_ref()).flat_map(|(_, applied)| &applied.granted);
        let granted: Vec<_> = granted.map(|granted| granted.rental).collect();
        let rentals = audit::rentals(tx, &granted).await?;
        for (stored, found, parts) in checked {
            findings.extend(found);
            let Some((record, applied)) = parts else { continue };
            let finding = |what: String| Finding { pool, number: stored.number, what };
            let written = prices.get(&stored.number).cloned().unwrap_or_default();
            let lines = Summary::of(&record.plan, &applied).prices;
            if written != Vec::from_iter(lines.into_iter().map(|line| (line, record.at))) {
                findings.push(finding("the prices in the history are not the plan's".to_owned()));
            }
            findings.extend(misplaced(&applied, &rentals).into_iter().map(finding));
        }
    }
    Ok(())
}

/// What was applied, against the rentals and leases that say so.
fn misplaced(applied: &Applied, rentals: &BTreeMap<RentalId, Rented>) -> Vec<String> {
    let wrong = |granted: &crate::records::Granted| {
        let Some(rented) = rentals.get(&granted.rental) else {
            return Some(format!("the rental {} it granted does not exist", granted.rental));
        };
        if rented.demand != granted.demand {
            return Some(format!("the rental {} serves {}, not {}", granted.rental, rented.demand, granted.demand));
        }
        // A lease that would have had no length left no trace.
        let came_and_went = rented.ended_at == Some(applied.at);
        let leased = |device| rented.leases.contains(&(device, applied.at));
        let missing = granted.devices.iter().find(|device| !leased(**device) && !came_and_went);
        missing.map(|device| format!("the lease of {device} for {} is missing", granted.rental))
    };
    applied.granted.iter().filter_map(wrong).collect()
}

/// Where the chain stands while it is followed.
struct Chain {
    pool: PoolId,
    number: i64,
    hash: [u8; 32],
}

impl Chain {
    /// Stands before the first round of the range. What the round before it hashes to is taken from its row.
    async fn begin(tx: &mut Tx, pool: PoolId, from: i64, findings: &mut Vec<Finding>) -> Result<Self, StoreError> {
        if from <= 1 {
            return Ok(Self { pool, number: 0, hash: GENESIS });
        }
        let before = rounds::find(tx, pool, Some(from - 1)).await?;
        let hash = before.and_then(|round| round.hash.try_into().ok());
        if hash.is_none() {
            findings.push(Finding { pool, number: from - 1, what: "the round is missing".to_owned() });
        }
        Ok(Self { pool, number: from - 1, hash: hash.unwrap_or(GENESIS) })
    }

    const fn next(&self) -> i64 {
        self.number + 1
    }

    /// Goes on to a round. After a finding the chain goes on from what is stored, so that one fault is told once.
    fn follow(&mut self, stored: &Stored, findings: &mut Vec<Finding>) {
        let mut find = |number: i64, what: &str| {
            findings.push(Finding { pool: self.pool, number, what: what.to_owned() });
        };
        for missing in self.number + 1..stored.number {
            find(missing, "the round is missing");
        }
        let follows = stored.number == self.number + 1;
        if follows && stored.previous_hash != self.hash {
            find(stored.number, "its previous hash is not the hash of the round before");
        }
        let previous: Option<[u8; 32]> = stored.previous_hash.clone().try_into().ok();
        let chained = previous.map(|previous| Header::chain(&previous, &stored.header));
        if chained.is_none_or(|hash| stored.hash != hash) {
            find(stored.number, "its hash is not that of its header");
        }
        self.number = stored.number;
        self.hash = stored.hash.clone().try_into().unwrap_or(GENESIS);
    }

    /// The chain must end where the leaders left it, and no other table may know of later rounds.
    async fn end(&self, tx: &mut Tx, head: Head, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
        let newest = audit::newest_mentioned(tx, self.pool).await?.max(head.number);
        for missing in self.number + 1..=newest {
            findings.push(Finding { pool: self.pool, number: missing, what: "the round is missing".to_owned() });
        }
        if self.number == head.number && head.number > 0 && self.hash != head.hash {
            let what = format!("the head of the chain is {}, not its hash", hex(&head.hash));
            findings.push(Finding { pool: self.pool, number: self.number, what });
        }
        Ok(())
    }
}
