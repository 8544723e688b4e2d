//! Clears the pools that this server leads, when they are due.

use scheduler::world::ids::PoolId;

use super::{LoopError, Step};
use crate::State;
use crate::app::complete_jobs::complete_jobs;
use crate::app::round_due::due;
use crate::app::settle_round::{REFUSED, SettleError, Settled, settle_round};
use crate::clock::to_at;
use crate::config::limits;
use crate::loops::LoopName;
use crate::records::Cause;
use crate::store::pool_leases::{self, Leadership};
use crate::store::{StoreError, Tx, rounds};

/// Leads what nobody else leads, and clears what is due. One failure does not keep the rest waiting.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let led = lead(state).await?;
    // Jobs that are done make room before it is asked which pools are due.
    let mut failure = complete(state, &led).await.err();
    let mut step = Step::Idle;
    for (leadership, cause) in due_pools(state, led).await? {
        match settle_round(state, leadership, cause).await {
            Ok(settled) => {
                step = Step::Worked;
                tell(state, leadership.pool_id, cause, &settled);
            }
            Err(SettleError::Superseded) => {
                tracing::info!(pool = %leadership.pool_id, "another server clears this pool")
            }
            Err(SettleError::Store(error)) if error.is_conflict() => {
                step = Step::Worked;
                tracing::info!(pool = %leadership.pool_id, %error, "the round lost a race and is planned again");
            }
            Err(SettleError::Store(error)) => failure = Some(error),
            // The alert is raised; trying again at once would change nothing.
            Err(error) => tracing::error!(pool = %leadership.pool_id, %error, "round refused"),
        }
    }
    failure.map_or(Ok(step), |error| Err(LoopError::Store(error)))
}

fn tell(state: &State, pool: PoolId, cause: Cause, settled: &Settled) {
    tracing::info!(
        %pool,
        number = settled.number,
        cause = cause.as_str(),
        granted = settled.applied.granted.len(),
        dropped = settled.applied.dropped.len(),
        "round cleared"
    );
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Relay);
}

async fn lead(state: &State) -> Result<Vec<Leadership>, StoreError> {
    let now = state.clock.now();
    let (renew_before, expires_at) = (now + limits::LEADER_LEASE / 2, now + limits::LEADER_LEASE);
    let mut tx = Tx::begin(&state.db).await?;
    let led = pool_leases::lead(&mut tx, state.server, now, renew_before, expires_at).await?;
    tx.commit().await?;
    Ok(led)
}

async fn complete(state: &State, led: &[Leadership]) -> Result<(), StoreError> {
    let pools: Vec<PoolId> = led.iter().map(|leadership| leadership.pool_id).collect();
    let mut tx = Tx::begin(&state.db).await?;
    complete_jobs(&mut tx, &*state.entropy, &pools, state.clock.now()).await?;
    tx.commit().await
}

async fn due_pools(state: &State, led: Vec<Leadership>) -> Result<Vec<(Leadership, Cause)>, StoreError> {
    let now = state.clock.now();
    let pools: Vec<PoolId> = led.iter().map(|leadership| leadership.pool_id).collect();
    let mut tx = state.begin_snapshot().await?;
    let pulses = rounds::pulses(&mut tx, &pools, REFUSED, now).await?;
    tx.commit().await?;
    let due = |leadership: Leadership| Some((leadership, due(pulses.get(&leadership.pool_id)?, to_at(now))?));
    Ok(led.into_iter().filter_map(due).collect())
}

/// Gives up the pools that this server leads: the last thing that it does.
pub async fn resign(state: &State) -> Result<(), StoreError> {
    let mut tx = Tx::begin(&state.db).await?;
    pool_leases::resign(&mut tx, state.server, state.clock.now()).await?;
    tx.commit().await
}
