//! Keeps in step with the database what authentication holds in memory, and writes back what it only noted. Every
//! server runs this for itself.

use super::{LoopError, Step};
use crate::State;
use crate::store::{Tx, api_keys};

/// Takes over rotated keys and withdrawn tokens, and notes when API keys were used.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    state.identity.follow(&state.db, now).await?;
    state.limiter.forget_idle();
    let uses = state.identity.api_keys.take_uses();
    if !uses.is_empty() {
        let mut tx = Tx::begin(&state.db).await?;
        api_keys::note_uses(&mut tx, &uses).await?;
        tx.commit().await?;
    }
    Ok(Step::Idle)
}
