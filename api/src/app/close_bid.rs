//! A bid is over, by its owner or by its time: its rental ends with it, its hold returns, and whoever watches is told.

use serde_json::json;
use time::OffsetDateTime;

use super::end_rentals::{End, end_rentals};
use crate::bid::{Bid, BidState, StateName};
use crate::entropy::Entropy;
use crate::rental::EndReason;
use crate::store::events::NewEvent;
use crate::store::{StoreError, Tx, bids, events, holds};

/// How a bid closes.
#[derive(Debug, Clone, Copy)]
pub struct Closing {
    /// The state it comes to.
    pub to: BidState,
    /// Why its rental ends, if it has one; the bid comes to the same state by that.
    pub reason: EndReason,
    /// Why its hold returns, in words.
    pub why: &'static str,
}

/// Closes the bid as it was loaded; a conflict when it has changed since.
pub async fn close_bid(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    bid: &Bid,
    closing: Closing,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if let Some(rental) = bid.state.rental() {
        let ended = end_rentals(tx, entropy, &[End::because(rental, closing.reason)], now, now).await?;
        let missed = StoreError::Stale { what: "end a bid's rental", touched: 0 };
        return if ended.is_empty() { Err(missed) } else { Ok(()) };
    }
    bids::close(tx, bid, closing.to, now).await?;
    if let Some(hold) = holds::lock(tx, bid.demand()).await? {
        holds::release(tx, &hold, entropy.id(now), closing.why, now).await?;
    }
    let closed = NewEvent {
        id: entropy.id(now),
        organisation: Some(bid.organisation),
        provider: None,
        pool: None,
        kind: if closing.to.name() == StateName::Cancelled { "bid.cancelled" } else { "bid.expired" },
        subject: bid.id.to_string(),
        body: json!({"state": closing.to.name()}),
    };
    events::record(tx, &[closed], now).await
}
