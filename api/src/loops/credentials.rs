//! Keeps in step with the database what authentication holds in memory, and writes back what it only noted. Every
//! server runs this for itself.

use super::{LoopError, Step};
use crate::State;
use crate::config::limits;
use crate::store::{Tx, api_keys, refresh_tokens};

/// Takes over rotated keys and withdrawn tokens, notes when API keys were used, forgets refresh tokens that have ended.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    state.identity.follow(&state.db, now).await?;
    state.limiter.forget_idle();
    let uses = state.identity.api_keys.take_uses();
    let mut tx = Tx::begin(&state.db).await?;
    if !uses.is_empty() {
        api_keys::note_uses(&mut tx, &uses).await?;
    }
    let forgotten = refresh_tokens::forget(&mut tx, now, limits::FORGOTTEN_PER_STEP).await?;
    tx.commit().await?;
    let more = forgotten >= limits::FORGOTTEN_PER_STEP.unsigned_abs();
    Ok(if more { Step::Worked } else { Step::Idle })
}
