//! Ends what has run out of time: bids at their own end, notices that no round released, and promises. Bounds on a rental's duration and cost are the meter's: see `loops::metering`.

use super::{LoopError, LoopName, Step};
use crate::State;
use crate::app::end_rentals::{End, end_rentals};
use crate::app::expire_bids::expire_bids;
use crate::app::settle_promises::settle_promises;
use crate::rental::EndReason;
use crate::store::{Tx, expiry};

/// Objects handled in one step, for each kind.
const BATCH: i64 = 200;
/// What a pool's round may be late before a notice is enforced without it.
const NOTICE_GRACE_SECONDS: i32 = 30;

/// One round of everything.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    let bids = close_bids(state, now).await?;
    let notices = enforce_notices(state, now).await?;
    let promises = settle(state, now).await?;
    if promises > 0 {
        state.wake.signal(LoopName::Relay);
    }
    if bids + notices > 0 {
        state.wake.signal(LoopName::Provision);
    }
    let full = usize::try_from(BATCH).is_ok_and(|batch| notices >= batch);
    Ok(if bids > 0 || promises > 0 || full { Step::Worked } else { Step::Idle })
}

async fn close_bids(state: &State, now: time::OffsetDateTime) -> Result<usize, LoopError> {
    let mut tx = Tx::begin(&state.db).await?;
    let closed = expire_bids(&mut tx, &*state.entropy, now).await?;
    tx.commit().await?;
    Ok(closed)
}

async fn settle(state: &State, now: time::OffsetDateTime) -> Result<usize, LoopError> {
    let mut tx = Tx::begin(&state.db).await?;
    let settled = settle_promises(&mut tx, &*state.entropy, now).await?;
    tx.commit().await?;
    Ok(settled)
}

async fn enforce_notices(state: &State, now: time::OffsetDateTime) -> Result<usize, LoopError> {
    let mut tx = Tx::begin(&state.db).await?;
    let overdue = expiry::overdue_notices(&mut tx, now, NOTICE_GRACE_SECONDS, BATCH).await?;
    let ends: Vec<_> = overdue.iter().map(|id| End::because(*id, EndReason::Preempted)).collect();
    end_rentals(&mut tx, &*state.entropy, &ends, now, now).await?;
    tx.commit().await?;
    Ok(ends.len())
}
