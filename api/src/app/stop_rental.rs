//! A tenant pauses a rental: billing stops at once, the devices are free when the node confirms.

use scheduler::world::DemandId;
use scheduler::world::ids::RentalId;
use time::OffsetDateTime;

use super::Ctx;
use super::meter_rentals::meter_rentals;
use super::rental_event::rental_event;
use crate::entropy::Entropy;
use crate::rental::{Refused, RentalKind, RentalState};
use crate::store::rentals::{self, Rental};
use crate::store::{StoreError, Tx, events, holds, leases};

/// Why it was not stopped.
#[derive(Debug, thiserror::Error)]
pub enum StopRentalError {
    /// The organisation has no such rental.
    #[error("there is no such rental")]
    NotFound,
    /// Its state does not allow it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Only a rental at a posted price can pause.
    #[error("a rental of a bid or a job cannot be stopped; end it instead")]
    NotOnDemand,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stops a rental. What it used is billed, and what is left of its hold returns.
pub async fn stop_rental(ctx: &mut Ctx<'_>, id: RentalId) -> Result<Rental, StopRentalError> {
    let rental = rentals::get(&mut ctx.tx, ctx.caller.organisation, id).await?.ok_or(StopRentalError::NotFound)?;
    if rental.origin.kind() != RentalKind::OnDemand {
        return Err(StopRentalError::NotOnDemand);
    }
    rental.state.stop()?;
    meter_rentals(&mut ctx.tx, ctx.entropy, &[id], ctx.now, ctx.now).await?;
    // Metering has locked and advanced it: what was loaded above is old.
    let rental = rentals::lock(&mut ctx.tx, id).await?.ok_or(StopRentalError::NotFound)?;
    let stopping = rental.state.stop()?;
    rentals::transition(&mut ctx.tx, &rental, stopping, ctx.now).await?;
    if let Some(hold) = holds::lock(&mut ctx.tx, DemandId::OnDemand(id)).await? {
        let transfer = ctx.id();
        holds::reduce(&mut ctx.tx, &hold, transfer, hold.remaining, "the rental stopped", ctx.now).await?;
    }
    let told = rental_event(ctx.entropy, &rental, &stopping, ctx.now);
    events::record(&mut ctx.tx, &[told], ctx.now).await?;
    Ok(rental.moved(stopping, ctx.now))
}

/// Rentals whose nodes confirmed, or fell silent, are stopped: their devices are free.
pub async fn settle_stops(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    stopping: &[RentalId],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if stopping.is_empty() {
        return Ok(());
    }
    let rentals = rentals::lock_all(tx, stopping).await?;
    let settled: Vec<(&Rental, RentalState)> =
        rentals.iter().filter_map(|rental| Some((rental, rental.state.stopped().ok()?))).collect();
    rentals::transition_all(tx, &settled, now).await?;
    leases::close(tx, &settled.iter().map(|(rental, _)| rental.id).collect::<Vec<_>>(), now).await?;
    let told: Vec<_> = settled.iter().map(|(rental, state)| rental_event(entropy, rental, state, now)).collect();
    events::record(tx, &told, now).await
}
