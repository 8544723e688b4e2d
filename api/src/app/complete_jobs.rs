//! Jobs whose work is done complete: their rentals end, and what is left of their budgets returns.

use scheduler::world::ids::PoolId;
use time::OffsetDateTime;

use super::end_rentals::{End, end_rentals};
use crate::entropy::Entropy;
use crate::store::{StoreError, Tx, completion};

/// Completes the jobs of these pools that have done their work by `now`; returns how many.
pub async fn complete_jobs(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    pools: &[PoolId],
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    let finished = completion::finished(tx, pools, now).await?;
    if finished.is_empty() {
        return Ok(0);
    }
    let ends: Vec<_> = finished.iter().map(|(_, rental)| End::of_work(*rental)).collect();
    let ended = end_rentals(tx, entropy, &ends, now, now).await?;
    completion::note(tx, &Vec::from_iter(finished.into_iter().map(|(job, _)| job))).await?;
    Ok(ended.len())
}
