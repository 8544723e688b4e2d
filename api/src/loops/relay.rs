//! Numbers committed events, one server at a time, and hands them to this server's readers.

use super::{LoopError, LoopName, Step};
use crate::State;
use crate::config::limits;
use crate::store::{StoreError, Tx, events};

/// Numbers one page of waiting events, unless another server is at it, and follows whatever was numbered.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let numbered = number(state).await?;
    if numbered > 0 {
        state.metrics.events_relayed.add(numbered);
        state.wake_others(LoopName::Relay).await;
    }
    let handed = state.feed.follow(&state.db).await?;
    Ok(if numbered > 0 || handed > 0 { Step::Worked } else { Step::Idle })
}

async fn number(state: &State) -> Result<i64, StoreError> {
    let mut tx = Tx::begin(&state.db).await?;
    if !events::is_waiting(&mut tx).await? {
        return Ok(0);
    }
    let Some(before) = events::lock_relay(&mut tx).await? else { return Ok(0) };
    let after = events::number(&mut tx, before, limits::EVENTS_PER_PAGE).await?;
    tx.commit().await?;
    Ok(after - before)
}
