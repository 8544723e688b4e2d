//! API keys' rows. The secret itself is never here, only its hash.

use std::collections::BTreeMap;

use scheduler::world::ids::{ApiKeyId, OrganisationId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// A key, as its organisation sees it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ApiKey {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: ApiKeyId,
    /// What people call it.
    pub name: String,
    /// The beginning of its secret.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it ends, if it does.
    pub expires_at: Option<OffsetDateTime>,
    /// When it was last used; up to a minute late.
    pub last_used_at: Option<OffsetDateTime>,
}

/// What whoever presents a key may do.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Holder {
    /// The key.
    #[sqlx(try_from = "Uuid")]
    pub id: ApiKeyId,
    /// The organisation it acts for.
    #[sqlx(try_from = "Uuid", rename = "organisation_id")]
    pub organisation: OrganisationId,
    /// The person who made it.
    #[sqlx(try_from = "Uuid")]
    pub created_by: UserId,
    /// That person's role today.
    pub role: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// When it ends, if it does.
    pub expires_at: Option<OffsetDateTime>,
}

/// Adds a key.
pub async fn insert(
    tx: &mut Tx,
    organisation: OrganisationId,
    by: UserId,
    key: &ApiKey,
    secret_hash: &[u8; 32],
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO api_keys (id, organisation_id, created_by, name, prefix, secret_hash, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(key.id.uuid())
    .bind(organisation.uuid())
    .bind(by.uuid())
    .bind(&key.name)
    .bind(&key.prefix)
    .bind(secret_hash.as_slice())
    .bind(&key.scopes)
    .bind(key.created_at)
    .bind(key.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Who holds the key with that hash. A key counts as long as it is not revoked and its maker is a member.
pub async fn holder(tx: &mut Tx, secret_hash: &[u8; 32]) -> Result<Option<Holder>, StoreError> {
    let holder = sqlx::query_as(
        "SELECT k.id, k.organisation_id, k.created_by, m.role, k.scopes, k.expires_at
         FROM api_keys k
         JOIN memberships m ON m.organisation_id = k.organisation_id AND m.user_id = k.created_by
         WHERE k.secret_hash = $1 AND k.revoked_at IS NULL",
    )
    .bind(secret_hash.as_slice())
    .fetch_optional(tx.conn())
    .await?;
    Ok(holder)
}

/// An organisation's keys that are not revoked, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<ApiKey>, StoreError> {
    let keys = sqlx::query_as(
        "SELECT id, name, prefix, scopes, created_at, expires_at, last_used_at FROM api_keys
         WHERE organisation_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(keys)
}

/// How many keys of an organisation are not revoked.
pub async fn count(tx: &mut Tx, organisation: OrganisationId) -> Result<i64, StoreError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM api_keys WHERE organisation_id = $1 AND revoked_at IS NULL")
        .bind(organisation.uuid())
        .fetch_one(tx.conn())
        .await?;
    Ok(count)
}

/// Revokes a key; false if the organisation has none of that identity, or it is revoked already.
pub async fn revoke(
    tx: &mut Tx,
    organisation: OrganisationId,
    id: ApiKeyId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let result = sqlx::query(
        "UPDATE api_keys SET revoked_at = $3 WHERE organisation_id = $1 AND id = $2 AND revoked_at IS NULL",
    )
    .bind(organisation.uuid())
    .bind(id.uuid())
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected() == 1)
}

/// Notes when keys were last used. A key that somebody else is writing just now is left out: its use is noted there.
pub async fn note_uses(tx: &mut Tx, uses: &BTreeMap<ApiKeyId, OffsetDateTime>) -> Result<(), StoreError> {
    let (ids, times): (Vec<Uuid>, Vec<OffsetDateTime>) = uses.iter().map(|(id, at)| (id.uuid(), *at)).unzip();
    sqlx::query(
        "WITH used AS (
             SELECT k.id, u.at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
             JOIN api_keys k ON k.id = u.id
             WHERE k.last_used_at IS NULL OR k.last_used_at < u.at
             FOR UPDATE OF k SKIP LOCKED
         )
         UPDATE api_keys SET last_used_at = used.at FROM used WHERE api_keys.id = used.id",
    )
    .bind(ids)
    .bind(times)
    .execute(tx.conn())
    .await?;
    Ok(())
}
