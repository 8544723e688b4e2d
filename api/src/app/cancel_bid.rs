//! A tenant takes a bid back: a rental that it has ends, and what is left of its hold returns, in one transaction.

use scheduler::world::ids::BidId;

use super::Ctx;
use super::close_bid::{Closing, close_bid};
use crate::bid::Refused;
use crate::rental::EndReason;
use crate::store::StoreError;
use crate::store::bids::{self, Booked};

/// Why a bid was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum CancelBidError {
    /// The organisation has no such bid.
    #[error("there is no such bid")]
    NoSuchBid,
    /// It is over.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Rounds change bids, too: when one was faster, the bid is looked at again.
const ATTEMPTS: usize = 3;

/// Cancels one of the caller's bids and returns it as it is then.
pub async fn cancel_bid(ctx: &mut Ctx<'_>, id: BidId) -> Result<Booked, CancelBidError> {
    let mut lost = None;
    for _ in 0..ATTEMPTS {
        let booked = load(ctx, id).await?;
        let closing =
            Closing { to: booked.bid.state.cancel(ctx.now)?, reason: EndReason::Tenant, why: "bid cancelled" };
        match close_bid(&mut ctx.tx, ctx.entropy, &booked.bid, closing, ctx.now).await {
            Ok(()) => return load(ctx, id).await,
            Err(error) if error.is_conflict() => lost = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    Err(lost.map_or(CancelBidError::NoSuchBid, CancelBidError::Store))
}

async fn load(ctx: &mut Ctx<'_>, id: BidId) -> Result<Booked, CancelBidError> {
    bids::find(&mut ctx.tx, ctx.caller.organisation, id).await?.ok_or(CancelBidError::NoSuchBid)
}
