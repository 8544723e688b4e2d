//! Devices for a claim at a posted price: now, later, or not.

use scheduler::world::ids::DeviceId;

use super::Ctx;
use crate::rental::{Admission, NotAdmitted, admit};
use crate::store::StoreError;
use crate::store::capacity::{self, Posted};
use crate::store::rentals::Placement;

/// Why there are no devices.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The offer is over.
    #[error("this offer is over; search again")]
    OfferOver,
    /// The provider lets in larger gangs only.
    #[error("this offer is for {0} devices or more")]
    BelowMinChunk(i32),
    /// There is no room.
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether the offer can be accepted at all. A quote keeps a price through a change of the ask, not through its end.
pub fn check_offer(posted: &Posted, devices: i32, quoted: bool, now: time::OffsetDateTime) -> Result<(), ClaimError> {
    let withdrawn = posted.withdrawn_at.is_some() && !quoted;
    if withdrawn || !posted.node_ready || posted.ends_at.is_some_and(|end| end <= now) {
        return Err(ClaimError::OfferOver);
    }
    if devices < posted.min_chunk {
        return Err(ClaimError::BelowMinChunk(posted.min_chunk));
    }
    Ok(())
}

/// Takes `devices` devices of the offer and locks them until the transaction ends. `None`: they must first be taken back
/// from bids or jobs, which the pool's next round does for a rental that is `pending`.
pub async fn claim_devices(ctx: &mut Ctx<'_>, posted: &Posted, devices: i32) -> Result<Option<Placement>, ClaimError> {
    capacity::queue_for(&mut ctx.tx, posted).await?;
    let mut capacity = capacity::capacity(&mut ctx.tx, posted).await?;
    if admit(devices, &capacity, posted.phi_ppm)? == Admission::Wait {
        return Ok(None);
    }
    let taken = capacity::free_devices(&mut ctx.tx, posted, devices).await?;
    let found = i32::try_from(taken.len()).unwrap_or(i32::MAX);
    if found == devices {
        return Ok(Some(placement(ctx, posted, taken)));
    }
    // Somebody else is just taking the devices that were counted as free.
    capacity.free = found;
    admit(devices, &capacity, posted.phi_ppm)?;
    Ok(None)
}

fn placement(ctx: &Ctx<'_>, posted: &Posted, devices: Vec<DeviceId>) -> Placement {
    let devices = devices.into_iter().map(|device| (device, ctx.id())).collect();
    Placement { node: posted.node, provider: posted.provider, devices }
}
