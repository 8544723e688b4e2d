//! Bids whose time is over close, with the rentals that they have.

use time::OffsetDateTime;

use super::close_bid::{Closing, close_bid};
use crate::entropy::Entropy;
use crate::rental::EndReason;
use crate::store::{StoreError, Tx, bids};

/// Bids that one transaction closes.
const TOGETHER: i64 = 50;

/// Closes bids that have ended, the earliest first; returns how many. There may be more when it is not zero.
pub async fn expire_bids(tx: &mut Tx, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<usize, StoreError> {
    let ending = bids::ending(tx, now, TOGETHER).await?;
    for booked in &ending {
        if let Ok(to) = booked.bid.state.expire(now) {
            let closing = Closing { to, reason: EndReason::MaxDuration, why: "the bid's time is over" };
            close_bid(tx, entropy, &booked.bid, closing, now).await?;
        }
    }
    Ok(ending.len())
}
