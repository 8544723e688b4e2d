//! Reading rounds back: for lists, for one round in full, and for the audit.

use scheduler::world::ids::{PoolId, RoundId};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use time::OffsetDateTime;

use crate::clock::to_at;
use crate::records::{Cause, Stored, Summary};
use crate::store::{StoreError, Tx, column};

/// A round as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Identity.
    pub id: RoundId,
    /// The number in the pool.
    pub number: i64,
    /// When it was cleared.
    pub cleared_at: OffsetDateTime,
    /// Why then.
    pub cause: Cause,
    /// How long planning took.
    pub plan_millis: i32,
    /// Its numbers.
    pub summary: Summary,
    /// Hash of its plan.
    pub plan_hash: Vec<u8>,
    /// Hash of the round before.
    pub previous_hash: Vec<u8>,
    /// Its own hash.
    pub hash: Vec<u8>,
}

impl sqlx::FromRow<'_, PgRow> for Found {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let sqlx::types::Json(summary) = row.try_get("summary")?;
        Ok(Self {
            id: column::id(row, "id")?,
            number: row.try_get("number")?,
            cleared_at: row.try_get("cleared_at")?,
            cause: column::parsed(row, "cause")?,
            plan_millis: row.try_get("plan_millis")?,
            summary,
            plan_hash: row.try_get("plan_hash")?,
            previous_hash: row.try_get("previous_hash")?,
            hash: row.try_get("hash")?,
        })
    }
}

/// Where a page of rounds begins, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Numbers below this one; the newest when absent.
    pub before: Option<i64>,
    /// Rows to load.
    pub rows: i64,
}

/// A pool's rounds, newest first.
pub async fn list(tx: &mut Tx, pool: PoolId, page: Page) -> Result<Vec<Found>, StoreError> {
    let rounds = sqlx::query_as(
        "SELECT id, number, cleared_at, cause, plan_millis, summary - 'depth' AS summary, plan_hash, previous_hash, hash FROM rounds
         WHERE pool_id = $1 AND ($2::bigint IS NULL OR number < $2) ORDER BY number DESC LIMIT $3",
    )
    .bind(pool.uuid())
    .bind(page.before)
    .bind(page.rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(rounds)
}

/// One round of a pool; the last one when no number is named.
pub async fn find(tx: &mut Tx, pool: PoolId, number: Option<i64>) -> Result<Option<Found>, StoreError> {
    let round = sqlx::query_as(
        "SELECT id, number, cleared_at, cause, plan_millis, summary, plan_hash, previous_hash, hash FROM rounds
         WHERE pool_id = $1 AND ($2::bigint IS NULL OR number = $2) ORDER BY number DESC LIMIT 1",
    )
    .bind(pool.uuid())
    .bind(number)
    .fetch_optional(tx.conn())
    .await?;
    Ok(round)
}

/// The record, what was applied, and the header of one round; of the last one when no number is named.
pub async fn find_text(
    tx: &mut Tx,
    pool: PoolId,
    number: Option<i64>,
) -> Result<Option<(String, String, String)>, StoreError> {
    let texts = sqlx::query_as(
        "SELECT record, applied, header FROM rounds
         WHERE pool_id = $1 AND ($2::bigint IS NULL OR number = $2) ORDER BY number DESC LIMIT 1",
    )
    .bind(pool.uuid())
    .bind(number)
    .fetch_optional(tx.conn())
    .await?;
    Ok(texts)
}

/// Rounds of a pool from `from` on, in order, for the audit.
pub async fn stored(tx: &mut Tx, pool: PoolId, from: i64, rows: i64) -> Result<Vec<Stored>, StoreError> {
    let rounds = sqlx::query_as(
        "SELECT id, pool_id, number, cleared_at, cause, fencing_token, plan_millis, summary, applied, record, header,
                plan_hash, previous_hash, hash
         FROM rounds WHERE pool_id = $1 AND number >= $2 ORDER BY number LIMIT $3",
    )
    .bind(pool.uuid())
    .bind(from)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(rounds)
}

impl sqlx::FromRow<'_, PgRow> for Stored {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            pool: column::id(row, "pool_id")?,
            number: row.try_get("number")?,
            cleared_at: to_at(row.try_get("cleared_at")?),
            cause: row.try_get("cause")?,
            fencing_token: row.try_get("fencing_token")?,
            plan_millis: row.try_get("plan_millis")?,
            summary: row.try_get("summary")?,
            applied: row.try_get("applied")?,
            record: row.try_get("record")?,
            header: row.try_get("header")?,
            plan_hash: row.try_get("plan_hash")?,
            previous_hash: row.try_get("previous_hash")?,
            hash: row.try_get("hash")?,
        })
    }
}
