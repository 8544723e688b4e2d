//! Refresh tokens' rows: one log-in is a family, every use consumes one row and adds the next.
//!
//! When an answer is lost on its way, the token is used again and has two successors: *siblings*. Using one consumes the
//! others too, so a log-in never goes on in two places.

use scheduler::world::ids::{OrganisationId, SessionId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};
use crate::config::limits;

/// A token to add.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Identity; also the `jti` of the access token that was handed out with it.
    pub id: Uuid,
    /// The log-in it belongs to.
    pub family: SessionId,
    /// The token that was consumed for it.
    pub parent: Option<Uuid>,
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
        "INSERT INTO refresh_tokens (id, family_id, parent_id, user_id, organisation_id, token_hash, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(token.id)
    .bind(token.family.uuid())
    .bind(token.parent)
    .bind(token.user.uuid())
    .bind(token.organisation.uuid())
    .bind(token.hash.as_slice())
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// A token, as it is presented.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct RefreshToken {
    /// Identity.
    pub id: Uuid,
    /// The log-in it belongs to.
    #[sqlx(try_from = "Uuid", rename = "family_id")]
    pub family: SessionId,
    /// The token that was consumed for it.
    #[sqlx(rename = "parent_id")]
    pub parent: Option<Uuid>,
    /// The person.
    #[sqlx(try_from = "Uuid", rename = "user_id")]
    pub user: UserId,
    /// The organisation the person acted for.
    #[sqlx(try_from = "Uuid", rename = "organisation_id")]
    pub organisation: OrganisationId,
    /// When it ends.
    pub expires_at: OffsetDateTime,
    /// When it was used.
    pub consumed_at: Option<OffsetDateTime>,
    /// When its log-in was ended.
    pub revoked_at: Option<OffsetDateTime>,
}

/// The token with that hash.
pub async fn find(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<RefreshToken>, StoreError> {
    let token = sqlx::query_as(
        "SELECT id, family_id, parent_id, user_id, organisation_id, expires_at, consumed_at, revoked_at
         FROM refresh_tokens WHERE token_hash = $1",
    )
    .bind(hash.as_slice())
    .fetch_optional(tx.conn())
    .await?;
    Ok(token)
}

/// Consumes a token and its siblings; false when somebody else did so meanwhile, or ended its log-in.
pub async fn consume(tx: &mut Tx, token: &RefreshToken, now: OffsetDateTime) -> Result<bool, StoreError> {
    if let Some(parent) = token.parent {
        lock(tx, parent).await?;
    }
    let result = sqlx::query(
        "UPDATE refresh_tokens SET consumed_at = $2 WHERE id = $1 AND consumed_at IS NULL AND revoked_at IS NULL",
    )
    .bind(token.id)
    .bind(now)
    .execute(tx.conn())
    .await?;
    if result.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE refresh_tokens SET consumed_at = $3 WHERE family_id = $1 AND parent_id = $2 AND consumed_at IS NULL",
    )
    .bind(token.family.uuid())
    .bind(token.parent)
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(true)
}

/// Whoever hands out or uses successors of a token does so one after the other.
async fn lock(tx: &mut Tx, parent: Uuid) -> Result<(), StoreError> {
    sqlx::query("SELECT 1 FROM refresh_tokens WHERE id = $1 FOR UPDATE").bind(parent).execute(tx.conn()).await?;
    Ok(())
}

/// Whether a consumed token has successors and none of them was ever used.
pub async fn answer_unused(tx: &mut Tx, token: &RefreshToken) -> Result<bool, StoreError> {
    lock(tx, token.id).await?;
    let unused: Option<bool> = sqlx::query_scalar(
        "SELECT bool_and(consumed_at IS NULL) FROM refresh_tokens WHERE family_id = $1 AND parent_id = $2",
    )
    .bind(token.family.uuid())
    .bind(token.id)
    .fetch_one(tx.conn())
    .await?;
    Ok(unused.unwrap_or(false))
}

/// Ends a log-in; answers its tokens whose access tokens may not have expired.
pub async fn end_family(tx: &mut Tx, family: SessionId, now: OffsetDateTime) -> Result<Vec<Uuid>, StoreError> {
    let refused = sqlx::query_scalar(
        "WITH ended AS (
             UPDATE refresh_tokens SET revoked_at = coalesce(revoked_at, $2), access_refused_at = coalesce(access_refused_at, $2)
             WHERE family_id = $1 RETURNING id, created_at
         )
         SELECT id FROM ended WHERE created_at > $3",
    )
    .bind(family.uuid())
    .bind(now)
    .bind(now - limits::ACCESS_TOKEN)
    .fetch_all(tx.conn())
    .await?;
    Ok(refused)
}

/// Refuses the access tokens that a person holds for an organisation; the log-ins go on. Answers the tokens.
pub async fn refuse_access(
    tx: &mut Tx,
    user: UserId,
    organisation: OrganisationId,
    now: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    let refused = sqlx::query_scalar(
        "UPDATE refresh_tokens SET access_refused_at = $3
         WHERE user_id = $1 AND organisation_id = $2 AND created_at > $4 AND access_refused_at IS NULL RETURNING id",
    )
    .bind(user.uuid())
    .bind(organisation.uuid())
    .bind(now)
    .bind(now - limits::ACCESS_TOKEN)
    .fetch_all(tx.conn())
    .await?;
    Ok(refused)
}

/// The refused access tokens that have not expired.
pub async fn refused(tx: &mut Tx, now: OffsetDateTime) -> Result<Vec<Uuid>, StoreError> {
    let refused =
        sqlx::query_scalar("SELECT id FROM refresh_tokens WHERE access_refused_at IS NOT NULL AND created_at > $1")
            .bind(now - limits::ACCESS_TOKEN)
            .fetch_all(tx.conn())
            .await?;
    Ok(refused)
}

/// Forgets some tokens that ended; answers how many.
pub async fn forget(tx: &mut Tx, ended_before: OffsetDateTime, rows: i64) -> Result<u64, StoreError> {
    let result = sqlx::query(
        "DELETE FROM refresh_tokens WHERE id IN (
             SELECT id FROM refresh_tokens WHERE expires_at < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(ended_before)
    .bind(rows)
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected())
}
