//! A tenant accepts an offer: devices at a posted price, frozen for as long as it keeps them.

use scheduler::world::DemandId;
use scheduler::world::ids::{AskId, QuoteId};
use scheduler::world::money::{Micros, MoneyError, PricePerHour};
use scheduler::world::time::Millis;
use serde::Serialize;

use super::claim_devices::{ClaimError, check_offer, claim_devices};
use super::rental_event::rental_event;
use super::{Command, Ctx};
use crate::ledger::hold;
use crate::store::capacity::{self, Posted};
use crate::store::holds::{self, NewHold};
use crate::store::rentals::{self, NewRental, Origin, Rental};
use crate::store::{StoreError, events, ledger};

/// What a tenant asks for.
#[derive(Debug, Clone, Serialize)]
pub struct Wanted {
    /// The offer.
    pub ask: AskId,
    /// How many devices, all or nothing.
    pub devices: i32,
    /// The quote whose price is to be honoured.
    pub quote: Option<QuoteId>,
    /// What to run, if anything: a shell can be opened in any case.
    pub command: Option<Command>,
    /// The tenant's own bound on the duration.
    pub max_duration_seconds: Option<i64>,
    /// The tenant's own bound on the cost.
    pub max_spend: Option<Micros>,
}

/// Why nothing was rented.
#[derive(Debug, thiserror::Error)]
pub enum CreateRentalError {
    /// Nobody offers that.
    #[error("there is no such offer; search again")]
    NoSuchAsk,
    /// The organisation has no such quote.
    #[error("there is no such quote")]
    NoSuchQuote,
    /// The quote is for something else.
    #[error("the quote is for another offer or another number of devices; ask for a new one")]
    QuoteMismatch,
    /// The quoted price is not kept any longer.
    #[error("the quote has expired; ask for a new one")]
    QuoteExpired,
    /// There are no devices.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The wallet does not cover the first hour.
    #[error("{0} must be available to hold the first hour; top up the wallet, or rent fewer devices")]
    InsufficientFunds(Micros),
    /// The price of the gang is beyond what can be held.
    #[error("the price of so many devices is too large")]
    TooLarge(#[from] MoneyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Rents: takes the devices, holds the first hour, and leaves the rest to the provisioning loop. Where the devices must
/// first be taken back from bids or jobs, the rental waits as `pending` for the pool's next round.
pub async fn create_rental(ctx: &mut Ctx<'_>, wanted: &Wanted) -> Result<Rental, CreateRentalError> {
    let posted = capacity::posted(&mut ctx.tx, wanted.ask).await?.ok_or(CreateRentalError::NoSuchAsk)?;
    let price = price(ctx, wanted, &posted).await?;
    check_offer(&posted, wanted.devices, wanted.quote.is_some(), ctx.now)?;
    let placement = claim_devices(ctx, &posted, wanted.devices).await?;
    let rental = NewRental {
        id: ctx.id(),
        organisation: ctx.caller.organisation,
        pool: posted.pool,
        class: posted.class.clone(),
        origin: Origin::OnDemand { ask: posted.ask, quote: wanted.quote },
        gang: wanted.devices,
        command: wanted.command.as_ref().map(|command| command.as_str().to_owned()),
        price,
        fee_bps: posted.fee_bps,
        max_duration_seconds: wanted.max_duration_seconds,
        max_spend: wanted.max_spend,
        placement,
    };
    rentals::insert(&mut ctx.tx, std::slice::from_ref(&rental), ctx.now).await?;
    hold_first_hour(ctx, &rental, &posted.currency).await?;
    let rental = rental.as_inserted(&posted.currency, ctx.now);
    let told = rental_event(ctx.entropy, &rental, &rental.state, ctx.now);
    events::record(&mut ctx.tx, &[told], ctx.now).await?;
    Ok(rental)
}

/// The posted price, or the quoted one.
async fn price(ctx: &mut Ctx<'_>, wanted: &Wanted, posted: &Posted) -> Result<PricePerHour, CreateRentalError> {
    let Some(quote) = wanted.quote else { return Ok(posted.price) };
    let quoted = capacity::quoted(&mut ctx.tx, ctx.caller.organisation, quote).await?;
    let quoted = quoted.ok_or(CreateRentalError::NoSuchQuote)?;
    if quoted.ask != wanted.ask || quoted.devices != wanted.devices {
        return Err(CreateRentalError::QuoteMismatch);
    }
    if quoted.expires_at <= ctx.now {
        return Err(CreateRentalError::QuoteExpired);
    }
    Ok(quoted.price)
}

async fn hold_first_hour(ctx: &mut Ctx<'_>, rental: &NewRental, currency: &str) -> Result<(), CreateRentalError> {
    let amount = first_hold(rental.price, rental.gang, rental.max_spend)?;
    let new = NewHold {
        id: ctx.id(),
        organisation: rental.organisation,
        currency,
        subject: DemandId::OnDemand(rental.id),
        amount,
    };
    let transfer = ctx.id();
    match holds::open(&mut ctx.tx, &new, transfer, "the first hour of a rental", ctx.now).await {
        Ok(_) => Ok(()),
        Err(error) if error.violates(ledger::OVERDRAWN) => Err(CreateRentalError::InsufficientFunds(amount)),
        Err(error) => Err(error.into()),
    }
}

/// An hour ahead, or all that the tenant wants to spend.
pub(super) fn first_hold(price: PricePerHour, devices: i32, max_spend: Option<Micros>) -> Result<Micros, MoneyError> {
    let hour = hold::required(price, devices, Millis::ZERO)?;
    Ok(max_spend.map_or(hour, |most| most.min(hour)))
}
