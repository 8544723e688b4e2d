//! Devices vanished from under their rentals: those end, billed to now, and bids go back to the book if they asked to.

use scheduler::world::ids::DeviceId;
use time::OffsetDateTime;

use super::end_rentals::{End, end_rentals};
use crate::entropy::Entropy;
use crate::rental::EndReason;
use crate::store::{StoreError, Tx, leases};

/// Ends the rentals that hold any of these devices.
pub async fn lose_devices(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    devices: &[DeviceId],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if devices.is_empty() {
        return Ok(());
    }
    let holders = leases::holders(tx, devices).await?;
    let ends: Vec<_> = holders.into_iter().map(|rental| End::because(rental, EndReason::DeviceFault)).collect();
    end_rentals(tx, entropy, &ends, now, now).await?;
    Ok(())
}
