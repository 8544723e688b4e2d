//! A tenant ends a rental for good. A bid or a job that it served is cancelled with it.

use scheduler::world::ids::RentalId;

use super::Ctx;
use super::end_rentals::{End, end_rentals};
use crate::rental::{EndReason, Refused};
use crate::store::StoreError;
use crate::store::rentals::{self, Rental};

/// Why it was not ended.
#[derive(Debug, thiserror::Error)]
pub enum EndRentalError {
    /// The organisation has no such rental.
    #[error("there is no such rental")]
    NotFound,
    /// It has ended already.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Ends it now: what it used is billed, its devices are free, what was held returns.
pub async fn end_rental(ctx: &mut Ctx<'_>, id: RentalId) -> Result<Rental, EndRentalError> {
    let organisation = ctx.caller.organisation;
    let rental = rentals::get(&mut ctx.tx, organisation, id).await?.ok_or(EndRentalError::NotFound)?;
    rental.state.end(EndReason::Tenant, ctx.now)?;
    end_rentals(&mut ctx.tx, ctx.entropy, &[End::because(id, EndReason::Tenant)], ctx.now, ctx.now).await?;
    // Read again: what was billed at the end is part of the answer.
    rentals::get(&mut ctx.tx, organisation, id).await?.ok_or(EndRentalError::NotFound)
}
