//! One round of a pool, from what there is to what is written.
//!
//! The plan is made outside of any transaction, on what a snapshot showed; the world may move on meanwhile. So the
//! transaction that applies it looks again, with the planner's own predicate, and drops what no longer fits. A crash at
//! any point leaves the whole round or nothing of it.

mod apply;
mod money;
mod recheck;
mod told;
mod touched;

use std::time::Duration;

use scheduler::world::ids::{PoolId, RoundId};
use scheduler::{RoundRecord, Violation, plan, verify};
use time::OffsetDateTime;

use crate::State;
use crate::clock::to_at;
use crate::records::{Applied, Cause};
use crate::store::alerts::{self, NewAlert, Severity};
use crate::store::pool_leases::Leadership;
use crate::store::snapshot::{self, World};
use crate::store::{StoreError, Tx, rounds};

/// The alert of a pool whose round was refused; while it is open, rounds are tried at the pace of the timer only.
pub const REFUSED: &str = "round_refused";

/// A round that was written.
#[derive(Debug, Clone)]
pub struct Settled {
    /// Identity.
    pub id: RoundId,
    /// Number in the pool.
    pub number: i64,
    /// What of the plan was applied.
    pub applied: Applied,
}

/// Why a round was not written. Whatever runs keeps running.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// There is no such pool.
    #[error("there is no pool {0}")]
    NoSuchPool(PoolId),
    /// The plan breaks a promise of the market; an alert was raised.
    #[error("the plan for round {number} breaks {} promises, the first: {}", violations.len(), first(violations))]
    Violated {
        /// The round that was not cleared.
        number: i64,
        /// What is broken.
        violations: Vec<Violation>,
    },
    /// The planner failed; an alert was raised.
    #[error("planning round {number} failed: {reason}")]
    Failed {
        /// The round that was not cleared.
        number: i64,
        /// The panic's message.
        reason: String,
    },
    /// Another server leads the pool, or has cleared this round.
    #[error("another server clears this pool now")]
    Superseded,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Plans, verifies and applies the pool's next round.
pub async fn settle_round(state: &State, leadership: Leadership, cause: Cause) -> Result<Settled, SettleError> {
    let pool = leadership.pool_id;

    // Look: everything the round goes by, as of one instant.
    let began = state.clock.now();
    let mut tx = state.begin_snapshot().await?;
    let world = snapshot::load(&mut tx, pool, began).await?.ok_or(SettleError::NoSuchPool(pool))?;
    tx.commit().await?;

    // Decide, and let somebody else check: pure, on a thread where it may take its time.
    let number = world.snapshot.number;
    // 53 bits: whoever replays the record may be a program whose numbers hold no more.
    let seed = state.entropy.seed() >> 11;
    let planning = state.clock.elapsed();
    let record = match tokio::task::spawn_blocking(move || decide(world, began, seed)).await {
        Ok(Ok(record)) => record,
        Ok(Err(violations)) => return Err(refuse(state, pool, SettleError::Violated { number, violations }).await?),
        Err(panic) => return Err(refuse(state, pool, SettleError::Failed { number, reason: panic.to_string() }).await?),
    };

    let exchange = record.plan.exchange.as_ref().map(|told| told.outcome);
    let plan_millis = millis(state.clock.elapsed().saturating_sub(planning));

    // Apply: one guarded transaction.
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let round = apply::Round { record, cause, plan_millis };
    let settled = apply::apply(&mut tx, &*state.entropy, leadership, round, now).await?;
    alerts::clear(&mut tx, REFUSED, Some(pool), now).await?;
    rounds::answer(&mut tx, pool, began).await?;
    tx.commit().await?;
    exchange.into_iter().for_each(|outcome| state.metrics.exchange(outcome));
    Ok(settled)
}

fn decide(world: World, at: OffsetDateTime, seed: u64) -> Result<RoundRecord, Vec<Violation>> {
    let World { snapshot, rules } = world;
    let plan = plan(&snapshot, &rules, to_at(at), seed);
    verify(&snapshot, &rules, &plan)?;
    Ok(RoundRecord::new(&snapshot, &rules, to_at(at), seed, plan))
}

/// Raises the alert, and hands the reason back.
async fn refuse(state: &State, pool: PoolId, reason: SettleError) -> Result<SettleError, StoreError> {
    let now = state.clock.now();
    let message = format!("{reason}. What runs keeps running at its price; no round is cleared until this is mended.");
    let alert = NewAlert {
        id: state.entropy.id(now),
        pool: Some(pool),
        code: REFUSED,
        severity: Severity::Critical,
        message: &message,
    };
    let mut tx = Tx::begin(&state.db).await?;
    alerts::raise(&mut tx, &alert, now).await?;
    rounds::answer(&mut tx, pool, now).await?;
    tx.commit().await?;
    Ok(reason)
}

fn first(violations: &[Violation]) -> String {
    violations.first().map(ToString::to_string).unwrap_or_default()
}

fn millis(span: Duration) -> i32 {
    i32::try_from(span.as_millis()).unwrap_or(i32::MAX)
}
