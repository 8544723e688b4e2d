//! Replies to calls that moved money or capacity, kept in the transaction of their effect.

use scheduler::world::ids::OrganisationId;
use time::OffsetDateTime;

use super::{StoreError, Tx};

/// The primary key of the records: two calls with one key raced, and this one lost.
pub const RACED: &str = "idempotency_records_pkey";

/// What was answered under a key.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Record {
    /// The operation that consumed the key.
    pub operation: String,
    /// Hash of the operation's parsed input.
    pub fingerprint: Vec<u8>,
    /// HTTP status of the reply.
    pub status: i32,
    /// Body of the reply.
    pub reply: String,
}

/// The record under a key, if the key was used.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, key: &str) -> Result<Option<Record>, StoreError> {
    let record = sqlx::query_as(
        "SELECT operation, fingerprint, status, reply FROM idempotency_records WHERE organisation_id = $1 AND key = $2",
    )
    .bind(organisation.uuid())
    .bind(key)
    .fetch_optional(tx.conn())
    .await?;
    Ok(record)
}

/// Keeps the reply under its key.
pub async fn keep(
    tx: &mut Tx,
    organisation: OrganisationId,
    key: &str,
    record: &Record,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO idempotency_records (organisation_id, key, operation, fingerprint, status, reply, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(organisation.uuid())
    .bind(key)
    .bind(&record.operation)
    .bind(&record.fingerprint)
    .bind(record.status)
    .bind(&record.reply)
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Forgets replies that were kept long enough, the oldest first. Returns how many.
pub async fn forget(tx: &mut Tx, before: OffsetDateTime, limit: i64) -> Result<u64, StoreError> {
    let result = sqlx::query(
        "DELETE FROM idempotency_records r USING (
             SELECT organisation_id, key FROM idempotency_records WHERE created_at < $1 ORDER BY created_at LIMIT $2) old
         WHERE r.organisation_id = old.organisation_id AND r.key = old.key",
    )
    .bind(before)
    .bind(limit)
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected())
}
