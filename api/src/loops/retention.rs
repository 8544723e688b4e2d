//! Forgets what has ended long ago: events that everybody has had time to read, replies that nobody asks for again, refresh
//! tokens, quotes and tickets for shells that have expired.

use super::{LoopError, Step};
use crate::State;
use crate::config::limits;
use crate::store::{Tx, events, expiry, idempotency, refresh_tokens};

/// Forgets some of each.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let events = events::forget(&mut tx, now - limits::EVENTS_KEPT, limits::FORGOTTEN_PER_STEP).await?;
    let tokens = refresh_tokens::forget(&mut tx, now, limits::FORGOTTEN_PER_STEP).await?;
    let replies = idempotency::forget(&mut tx, now - limits::REPLIES_KEPT, limits::FORGOTTEN_PER_STEP).await?;
    let leftovers = expiry::forget_leftovers(&mut tx, now - limits::LEFTOVERS_KEPT, limits::FORGOTTEN_PER_STEP).await?;
    tx.commit().await?;
    let more = events.max(replies).max(tokens).max(leftovers) >= limits::FORGOTTEN_PER_STEP.unsigned_abs();
    Ok(if more { Step::Worked } else { Step::Idle })
}
