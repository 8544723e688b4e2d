//! Clears the pools that this server leads, when they are due.

use scheduler::world::ids::PoolId;

use super::{LoopError, Step};
use crate::State;
use crate::app::round_due::due;
use crate::app::settle_round::{REFUSED, SettleError, settle_round};
use crate::clock::to_at;
use crate::config::limits;
use crate::loops::LoopName;
use crate::records::Cause;
use crate::store::pool_leases::{self, Leadership};
use crate::store::{StoreError, Tx, rounds};

/// Leads what nobody else leads, and clears what is due. One pool's failure does not keep the others waiting.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let (mut step, mut failure) = (Step::Idle, None);
    for (leadership, cause) in due_pools(state).await? {
        match settle_round(state, leadership, cause).await {
            Ok(settled) => {
                step = Step::Worked;
                tracing::info!(
                    pool = %leadership.pool_id,
                    number = settled.number,
                    cause = cause.as_str(),
                    granted = settled.applied.granted.len(),
                    dropped = settled.applied.dropped.len(),
                    "round cleared"
                );
                state.wake.signal(LoopName::Provision);
                state.wake.signal(LoopName::Relay);
            }
            Err(SettleError::Superseded) => {
                tracing::info!(pool = %leadership.pool_id, "another server clears this pool")
            }
            Err(SettleError::Store(error)) if error.is_conflict() => {
                tracing::info!(pool = %leadership.pool_id, %error, "the round lost a race and is planned again");
                step = Step::Worked;
            }
            Err(SettleError::Store(error)) => failure = Some(LoopError::Store(error)),
            // The alert is raised; trying again at once would change nothing.
            Err(error) => tracing::error!(pool = %leadership.pool_id, %error, "round refused"),
        }
    }
    failure.map_or(Ok(step), Err)
}

async fn due_pools(state: &State) -> Result<Vec<(Leadership, Cause)>, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let renew_before = now + limits::LEADER_LEASE / 2;
    let led = pool_leases::lead(&mut tx, state.server, now, renew_before, now + limits::LEADER_LEASE).await?;
    let pools: Vec<PoolId> = led.iter().map(|leadership| leadership.pool_id).collect();
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
