//! Tickets for shells: each opens one, once. Only hashes are kept.

use scheduler::world::ids::{NodeId, RentalId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// A ticket to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewTicket {
    /// Identity.
    pub id: Uuid,
    /// In which rental.
    pub rental: RentalId,
    /// What is kept of the secret.
    pub hash: [u8; 32],
    /// Until when it can be used.
    pub expires_at: OffsetDateTime,
}

/// Keeps a ticket.
pub async fn insert(tx: &mut Tx, ticket: &NewTicket, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO shell_tickets (id, rental_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(ticket.id)
    .bind(ticket.rental.uuid())
    .bind(ticket.hash.as_slice())
    .bind(now)
    .bind(ticket.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Uses a ticket up: the rental that it opens and the node to ask, if it was still good and the rental still is.
pub async fn consume(
    tx: &mut Tx,
    hash: &[u8; 32],
    now: OffsetDateTime,
) -> Result<Option<(RentalId, NodeId)>, StoreError> {
    let opened: Option<(Uuid, Uuid)> = sqlx::query_as(
        "UPDATE shell_tickets t SET used_at = $2 FROM rentals r
         WHERE t.token_hash = $1 AND t.used_at IS NULL AND t.expires_at > $2 AND r.id = t.rental_id
               AND r.state IN ('running', 'notice') AND r.metered_to IS NOT NULL AND r.node_id IS NOT NULL
         RETURNING t.rental_id, r.node_id",
    )
    .bind(hash.as_slice())
    .bind(now)
    .fetch_optional(tx.conn())
    .await?;
    Ok(opened.map(|(rental, node)| (rental.into(), node.into())))
}

/// Whether the rental can be used now.
pub async fn is_usable(tx: &mut Tx, rental: RentalId) -> Result<bool, StoreError> {
    let usable = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM rentals WHERE id = $1 AND state IN ('running', 'notice') AND metered_to IS NOT NULL)",
    )
    .bind(rental.uuid())
    .fetch_one(tx.conn())
    .await?;
    Ok(usable)
}
