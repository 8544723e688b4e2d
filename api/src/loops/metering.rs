//! Bills what is used: every running meter at least once a minute, and at once where money ends.

use super::{LoopError, LoopName, Step};
use crate::State;
use crate::app::meter_due::meter_due;
use crate::store::Tx;

/// Reads one batch of meters that are due. Two servers may do it at once: they wait for each other's rows, and the second
/// finds nothing left to bill.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let mut tx = Tx::begin(&state.db).await?;
    let read = meter_due(&mut tx, &*state.entropy, state.clock.now()).await?;
    tx.commit().await?;
    if read.ended > 0 {
        state.wake.signal(LoopName::Provision);
        state.wake.signal(LoopName::Round);
    }
    if read.meters > 0 {
        state.wake.signal(LoopName::Relay);
    }
    Ok(if read.more { Step::Worked } else { Step::Idle })
}
