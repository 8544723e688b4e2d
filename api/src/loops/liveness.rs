//! Finds nodes that fell silent.
//!
//! Silence counts only while somebody listened. Each run extends a watch that is kept in the database; a gap in it (the
//! servers restarted, the database was away, the machine slept, the clock jumped) begins a new one, and every node gets
//! the whole span of silence again. So an outage of ours never ends a rental.

use time::Duration;

use super::{LoopError, Step};
use crate::State;
use crate::app::lose_node::lose_node;
use crate::config::limits;
use crate::store::{Tx, liveness};

/// The longest time between two runs in which nodes could be heard for certain. Three periods of this loop.
const GAP: Duration = Duration::seconds(15);
/// Nodes lost in one step, each in a transaction of its own.
const BATCH: usize = 64;

/// Extends the watch and loses the nodes that were silent throughout.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let since = liveness::watch(&mut tx, GAP, now).await?;
    tx.commit().await?;
    let silent_since = now - limits::HEARTBEAT_SILENCE;
    if since > silent_since {
        return Ok(Step::Idle);
    }
    for _ in 0..BATCH {
        let mut tx = Tx::begin(&state.db).await?;
        let Some(node) = liveness::silent(&mut tx, silent_since, 1).await?.pop() else { return Ok(Step::Idle) };
        tracing::warn!(node = %node.id, name = node.name, "a node fell silent");
        lose_node(&mut tx, &*state.entropy, &node, now).await?;
        tx.commit().await?;
        state.wake.signal(super::LoopName::Provision);
    }
    Ok(Step::Worked)
}
