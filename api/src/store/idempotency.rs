//! Replies to calls that moved money or capacity, kept in the transaction of their effect.

use scheduler::world::ids::OrganisationId;
use sqlx::postgres::PgRow;
use sqlx::{FromRow as _, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

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

/// The records under these keys, as far as they were used.
pub async fn find_all(
    tx: &mut Tx,
    keys: &[(OrganisationId, &str)],
) -> Result<Vec<(OrganisationId, String, Record)>, StoreError> {
    let rows = sqlx::query(
        "SELECT r.organisation_id, r.key, r.operation, r.fingerprint, r.status, r.reply
         FROM unnest($1::uuid[], $2::text[]) AS k (organisation_id, key)
         JOIN idempotency_records r ON r.organisation_id = k.organisation_id AND r.key = k.key",
    )
    .bind(keys.iter().map(|(owner, _)| owner.uuid()).collect::<Vec<_>>())
    .bind(keys.iter().map(|(_, key)| *key).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let found = |row: &PgRow| {
        Ok((row.try_get::<Uuid, _>("organisation_id")?.into(), row.try_get("key")?, Record::from_row(row)?))
    };
    rows.iter().map(found).collect()
}
