//! What an operator should look at: one open alert per code and pool, however often it is seen.

use std::str::FromStr;

use scheduler::world::ids::{AlertId, PoolId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, UnknownValue, column};

/// How bad it is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Something works less well than it should.
    Warning,
    /// Something does not work.
    Critical,
}

impl Severity {
    /// All of them, mildest first.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Critical];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

impl FromStr for Severity {
    type Err = UnknownValue;

    fn from_str(name: &str) -> Result<Self, UnknownValue> {
        Self::ALL.into_iter().find(|known| known.as_str() == name).ok_or_else(|| UnknownValue(name.to_owned()))
    }
}

/// An alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// Identity.
    pub id: AlertId,
    /// The pool that it is about, if it is about one.
    pub pool: Option<PoolId>,
    /// What kind of trouble.
    pub code: String,
    /// How bad.
    pub severity: Severity,
    /// What happened and what to do, in words.
    pub message: String,
    /// When it was first seen.
    pub raised_at: OffsetDateTime,
    /// When it was last seen.
    pub seen_at: OffsetDateTime,
    /// How often it was seen.
    pub times: i32,
    /// When it was over.
    pub resolved_at: Option<OffsetDateTime>,
}

impl FromRow<'_, PgRow> for Alert {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            pool: column::id_option(row, "pool_id")?,
            code: row.try_get("code")?,
            severity: column::parsed(row, "severity")?,
            message: row.try_get("message")?,
            raised_at: row.try_get("raised_at")?,
            seen_at: row.try_get("seen_at")?,
            times: row.try_get("times")?,
            resolved_at: row.try_get("resolved_at")?,
        })
    }
}

/// Trouble on its way to an operator.
#[derive(Debug, Clone)]
pub struct NewAlert<'a> {
    /// Identity, should it be the first of its kind.
    pub id: AlertId,
    /// The pool that it is about, if it is about one.
    pub pool: Option<PoolId>,
    /// What kind of trouble: stable, in `snake_case`.
    pub code: &'a str,
    /// How bad.
    pub severity: Severity,
    /// What happened and what to do, in words.
    pub message: &'a str,
}

/// Raises an alert, or notes that an open one was seen again.
pub async fn raise(tx: &mut Tx, alert: &NewAlert<'_>, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO alerts (id, pool_id, code, severity, message, raised_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (code, coalesce(pool_id, '00000000-0000-0000-0000-000000000000')) WHERE resolved_at IS NULL
         DO UPDATE SET message = excluded.message, severity = excluded.severity, seen_at = excluded.seen_at, times = alerts.times + 1",
    )
    .bind(alert.id.uuid())
    .bind(alert.pool.map(PoolId::uuid))
    .bind(alert.code)
    .bind(alert.severity.as_str())
    .bind(alert.message)
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The trouble is over: closes the open alert of that code and pool, if there is one.
pub async fn clear(tx: &mut Tx, code: &str, pool: Option<PoolId>, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE alerts SET resolved_at = $3 WHERE code = $1 AND pool_id IS NOT DISTINCT FROM $2 AND resolved_at IS NULL",
    )
    .bind(code)
    .bind(pool.map(PoolId::uuid))
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// An operator closes an alert; closing it twice changes nothing. `None` if there is no such alert.
pub async fn resolve(tx: &mut Tx, id: AlertId, now: OffsetDateTime) -> Result<Option<Alert>, StoreError> {
    let alert = sqlx::query_as(
        "UPDATE alerts SET resolved_at = coalesce(resolved_at, $2) WHERE id = $1
         RETURNING id, pool_id, code, severity, message, raised_at, seen_at, times, resolved_at",
    )
    .bind(id.uuid())
    .bind(now)
    .fetch_optional(tx.conn())
    .await?;
    Ok(alert)
}

/// Alerts, newest first.
pub async fn list(tx: &mut Tx, before: Option<Uuid>, rows: i64) -> Result<Vec<Alert>, StoreError> {
    let alerts = sqlx::query_as(
        "SELECT id, pool_id, code, severity, message, raised_at, seen_at, times, resolved_at FROM alerts
         WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2",
    )
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(alerts)
}
