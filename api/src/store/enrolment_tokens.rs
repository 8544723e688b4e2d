//! Enrolment tokens' rows: one-use permissions to add a node. Only hashes are kept.

use scheduler::world::ids::{EnrolmentTokenId, NodeId, PoolId, ProviderId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// A token that is made.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Identity.
    pub id: EnrolmentTokenId,
    /// For whose node.
    pub provider: ProviderId,
    /// For a node in which pool.
    pub pool: PoolId,
    /// What is kept of the secret.
    pub hash: [u8; 32],
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// Until when it can be used.
    pub expires_at: OffsetDateTime,
}

/// Keeps a token.
pub async fn insert(tx: &mut Tx, token: &NewToken) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO enrolment_tokens (id, provider_id, pool_id, token_hash, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token.id.uuid())
    .bind(token.provider.uuid())
    .bind(token.pool.uuid())
    .bind(token.hash.as_slice())
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Uses a token up for a node that the same transaction adds. `None` if there is no such token, or it was used, or it has
/// expired: who presents it need not know which.
pub async fn claim(
    tx: &mut Tx,
    hash: &[u8; 32],
    node: NodeId,
    now: OffsetDateTime,
) -> Result<Option<(ProviderId, PoolId)>, StoreError> {
    let claimed: Option<(Uuid, Uuid)> = sqlx::query_as(
        "UPDATE enrolment_tokens SET used_at = $3, node_id = $2
         WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $3
         RETURNING provider_id, pool_id",
    )
    .bind(hash.as_slice())
    .bind(node.uuid())
    .bind(now)
    .fetch_optional(tx.conn())
    .await?;
    Ok(claimed.map(|(provider, pool)| (provider.into(), pool.into())))
}
