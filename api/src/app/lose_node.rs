//! A node fell silent: what ran there ends, billed to its last good heartbeat, and bids go back to the book if they
//! asked to. If the node comes back, it is told to remove what is over before it gets anything new.

use time::OffsetDateTime;

use super::end_rentals::{End, end_rentals};
use super::stop_rental::settle_stops;
use crate::entropy::Entropy;
use crate::rental::EndReason;
use crate::store::events::{self, NewEvent};
use crate::store::liveness::{self, Silent};
use crate::store::{StoreError, Tx};

/// Takes the node out of the market and ends its rentals.
pub async fn lose_node(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    node: &Silent,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    liveness::lose(tx, node).await?;
    let rentals = liveness::rentals_on(tx, node.id).await?;
    let (stopping, running): (Vec<_>, Vec<_>) = rentals.into_iter().partition(|(_, stopping)| *stopping);
    let ends: Vec<_> = running.into_iter().map(|(id, _)| End::because(id, EndReason::NodeLost)).collect();
    end_rentals(tx, entropy, &ends, node.heartbeat_at.unwrap_or(now), now).await?;
    let stopping: Vec<_> = stopping.into_iter().map(|(id, _)| id).collect();
    settle_stops(tx, entropy, &stopping, now).await?;
    let lost = NewEvent {
        id: entropy.id(now),
        organisation: Some(node.organisation),
        provider: Some(node.provider),
        pool: None,
        kind: "node.lost",
        subject: node.id.to_string(),
        body: serde_json::json!({ "state": "lost", "name": node.name, "rentals_ended": ends.len() }),
    };
    events::record(tx, &[lost], now).await
}
