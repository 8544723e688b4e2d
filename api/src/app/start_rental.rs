//! A tenant continues a stopped rental, on the same offer at the same price.

use scheduler::world::DemandId;
use scheduler::world::ids::RentalId;
use scheduler::world::money::{Micros, MoneyError};

use super::Ctx;
use super::claim_devices::{ClaimError, check_offer, claim_devices};
use super::create_rental::first_hold;
use super::rental_event::rental_event;
use crate::rental::{Refused, RentalKind, StateName};
use crate::store::capacity;
use crate::store::rentals::{self, Origin, Rental};
use crate::store::{StoreError, events, holds, ledger};

/// Why it was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartRentalError {
    /// The organisation has no such rental.
    #[error("there is no such rental")]
    NotFound,
    /// Its state does not allow it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// There are no devices.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The wallet does not cover the next hour.
    #[error("{0} must be available to hold the next hour; top up the wallet")]
    InsufficientFunds(Micros),
    /// The tenant's own bound leaves nothing to run on.
    #[error("the rental has reached its max_spend; end it and rent again")]
    Spent,
    /// The price of the gang is beyond what can be held.
    #[error("the price of so many devices is too large")]
    TooLarge(#[from] MoneyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Starts a stopped rental again. Like a new one it may have to wait for devices.
pub async fn start_rental(ctx: &mut Ctx<'_>, id: RentalId) -> Result<Rental, StartRentalError> {
    let own = rentals::get(&mut ctx.tx, ctx.caller.organisation, id).await?;
    own.ok_or(StartRentalError::NotFound)?;
    let rental = rentals::lock(&mut ctx.tx, id).await?.ok_or(StartRentalError::NotFound)?;
    let Origin::OnDemand { ask, .. } = rental.origin else {
        return Err(Refused { from: rental.state.name(), wanted: wanted_of(rental.origin.kind()) }.into());
    };
    // Also the answer to starting what is running.
    let waiting = rental.state.wait()?;
    let posted = capacity::posted(&mut ctx.tx, ask).await?.ok_or(ClaimError::OfferOver)?;
    check_offer(&posted, rental.gang, false, ctx.now)?;
    let placement = claim_devices(ctx, &posted, rental.gang).await?;
    hold_next_hour(ctx, &rental).await?;
    let state = match &placement {
        Some(placement) => {
            rentals::place(&mut ctx.tx, &rental, placement, ctx.now).await?;
            rental.state.place()?
        }
        None => {
            rentals::transition(&mut ctx.tx, &rental, waiting, ctx.now).await?;
            waiting
        }
    };
    let told = rental_event(ctx.entropy, &rental, &state, ctx.now);
    events::record(&mut ctx.tx, &[told], ctx.now).await?;
    let mut moved = rental.moved(state, ctx.now);
    if moved.state.name() == StateName::Provisioning {
        moved.epoch += 1;
    }
    Ok(moved)
}

async fn hold_next_hour(ctx: &mut Ctx<'_>, rental: &Rental) -> Result<(), StartRentalError> {
    let left = rental.max_spend.map(|most| most.checked_sub(rental.charged).unwrap_or(Micros::ZERO));
    if left.is_some_and(|left| left <= Micros::ZERO) {
        return Err(StartRentalError::Spent);
    }
    let wanted = first_hold(rental.price, rental.gang, left)?;
    let hold = holds::lock(&mut ctx.tx, DemandId::OnDemand(rental.id)).await?;
    let hold = hold.ok_or_else(|| StoreError::corrupt("hold", format!("{} has none", rental.id)))?;
    let missing = wanted.checked_sub(hold.remaining).unwrap_or(Micros::ZERO);
    if missing <= Micros::ZERO {
        return Ok(());
    }
    let transfer = ctx.id();
    match holds::top_up(&mut ctx.tx, &hold, transfer, missing, "the next hour of a rental", ctx.now).await {
        Ok(()) => Ok(()),
        Err(error) if error.violates(ledger::OVERDRAWN) => Err(StartRentalError::InsufficientFunds(missing)),
        Err(error) => Err(error.into()),
    }
}

const fn wanted_of(kind: RentalKind) -> &'static str {
    match kind {
        RentalKind::OnDemand => "start",
        RentalKind::Bid => "start by itself: its bid comes back through the market",
        RentalKind::Job => "start by itself: its job comes back through the market",
    }
}
