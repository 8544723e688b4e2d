//! Closing bids that have no rental. Those that have one are closed by its end.

use time::OffsetDateTime;

use crate::bid::{Bid, BidState};
use crate::store::tx::exactly_one;
use crate::store::{StoreError, Tx};

/// Closes a bid, if it still is as it was loaded.
pub async fn close(tx: &mut Tx, bid: &Bid, to: BidState, now: OffsetDateTime) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE bids SET state = $4, closed_at = $5, version = version + 1 WHERE id = $1 AND version = $2 AND state = $3",
    )
    .bind(bid.id.uuid())
    .bind(bid.version)
    .bind(bid.state.name().as_str())
    .bind(to.name().as_str())
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("close a bid", &result)
}
