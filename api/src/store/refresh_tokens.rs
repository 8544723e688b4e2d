//! Refresh tokens' rows: one log-in is a family, every use consumes one row and adds the next.

use scheduler::world::ids::{OrganisationId, SessionId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// A token to add.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Identity; also the `jti` of the access token that was handed out with it.
    pub id: Uuid,
    /// The log-in it belongs to.
    pub family: SessionId,
    /// The person.
    pub user: UserId,
    /// The organisation the person acts for.
    pub organisation: OrganisationId,
    /// Hash of the secret.
    pub hash: [u8; 32],
    /// When it was handed out.
    pub created_at: OffsetDateTime,
    /// When it ends.
    pub expires_at: OffsetDateTime,
}

/// Adds a token.
pub async fn insert(tx: &mut Tx, token: &NewToken) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO refresh_tokens (id, family_id, user_id, organisation_id, token_hash, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(token.id)
    .bind(token.family.uuid())
    .bind(token.user.uuid())
    .bind(token.organisation.uuid())
    .bind(token.hash.as_slice())
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}
