//! Pools' rows, and what is for sale in them. How rounds clear them lives elsewhere.

use scheduler::world::class::ClassId;
use scheduler::world::ids::PoolId;
use scheduler::world::money::PricePerHour;
use scheduler::world::rules::{PriceRule, SharePolicy, Tilt};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, column};

/// A pool and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Identity.
    pub id: PoolId,
    /// Its name, which never changes.
    pub name: String,
    /// The currency of everything in it.
    pub currency: String,
    /// What an operator can change.
    pub settings: PoolSettings,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// Raised by every change of a setting.
    pub version: i64,
}

/// What an operator can change about a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolSettings {
    /// How fair-share jobs divide what is theirs.
    pub share_policy: SharePolicy,
    /// What `finish_time_fair` leans to.
    pub tilt: Tilt,
    /// How the rest is priced.
    pub price_rule: PriceRule,
    /// Time between rounds.
    pub round_seconds: i32,
    /// How long a preempted rental keeps running.
    pub notice_seconds: i32,
    /// How long a rental runs before it can be preempted.
    pub min_run_seconds: i32,
    /// What a restart costs a job.
    pub restart_seconds: i32,
    /// The marketplace's part of every charge, in hundredths of a percent.
    pub fee_bps: i32,
    /// The part of every class that fair-share jobs own together, in millionths.
    pub phi_ppm: i32,
    /// The largest limit that a bid may carry.
    pub limit_cap: PricePerHour,
    /// The most that the weights of jobs may add up to, in thousandths; without one no finish times are promised.
    pub admission_cap_milli: Option<i64>,
}

impl<'r> FromRow<'r, PgRow> for Pool {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            name: row.try_get("name")?,
            currency: row.try_get("currency")?,
            settings: PoolSettings {
                share_policy: column::parsed(row, "share_policy")?,
                tilt: column::parsed(row, "tilt")?,
                price_rule: column::parsed(row, "price_rule")?,
                round_seconds: row.try_get("round_seconds")?,
                notice_seconds: row.try_get("notice_seconds")?,
                min_run_seconds: row.try_get("min_run_seconds")?,
                restart_seconds: row.try_get("restart_seconds")?,
                fee_bps: row.try_get("fee_bps")?,
                phi_ppm: row.try_get("phi_ppm")?,
                limit_cap: column::price(row, "limit_cap_micros_per_hour")?,
                admission_cap_milli: row.try_get("admission_cap_milli")?,
            },
            created_at: row.try_get("created_at")?,
            version: row.try_get("version")?,
        })
    }
}

/// Whether there is any pool.
pub async fn any(tx: &mut Tx) -> Result<bool, StoreError> {
    Ok(sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pools)").fetch_one(tx.conn()).await?)
}

/// The pool, if it exists.
pub async fn find(tx: &mut Tx, id: PoolId) -> Result<Option<Pool>, StoreError> {
    let pool = sqlx::query_as(
        "SELECT id, name, currency, share_policy, tilt, price_rule, round_seconds, notice_seconds, min_run_seconds,
                restart_seconds, fee_bps, phi_ppm, limit_cap_micros_per_hour, admission_cap_milli, created_at, version
         FROM pools WHERE id = $1",
    )
    .bind(id.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(pool)
}

/// Lets jobs into the pool one after another: whoever holds this sees every job that was let in before.
pub async fn lock_admission(tx: &mut Tx, id: PoolId) -> Result<(), StoreError> {
    sqlx::query("SELECT id FROM pools WHERE id = $1 FOR NO KEY UPDATE").bind(id.uuid()).execute(tx.conn()).await?;
    Ok(())
}

/// Pools, newest first.
pub async fn list(tx: &mut Tx, before: Option<Uuid>, rows: i64) -> Result<Vec<Pool>, StoreError> {
    let pools = sqlx::query_as(
        "SELECT id, name, currency, share_policy, tilt, price_rule, round_seconds, notice_seconds, min_run_seconds,
                restart_seconds, fee_bps, phi_ppm, limit_cap_micros_per_hour, admission_cap_milli, created_at, version
         FROM pools WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2",
    )
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(pools)
}

/// Adds a pool; false when its name is taken.
pub async fn insert(tx: &mut Tx, pool: &Pool) -> Result<bool, StoreError> {
    let settings = &pool.settings;
    let result = sqlx::query(
        "INSERT INTO pools (id, name, currency, share_policy, price_rule, round_seconds, notice_seconds,
                            min_run_seconds, restart_seconds, fee_bps, phi_ppm, limit_cap_micros_per_hour, admission_cap_milli, created_at, tilt)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(pool.id.uuid())
    .bind(&pool.name)
    .bind(&pool.currency)
    .bind(settings.share_policy.as_str())
    .bind(settings.price_rule.as_str())
    .bind(settings.round_seconds)
    .bind(settings.notice_seconds)
    .bind(settings.min_run_seconds)
    .bind(settings.restart_seconds)
    .bind(settings.fee_bps)
    .bind(settings.phi_ppm)
    .bind(settings.limit_cap.micros())
    .bind(settings.admission_cap_milli)
    .bind(pool.created_at)
    .bind(settings.tilt.as_str())
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected() == 1)
}

/// Changes a pool's settings, if nobody else did since it was loaded.
pub async fn change(tx: &mut Tx, pool: &Pool, settings: &PoolSettings) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE pools SET share_policy = $3, price_rule = $4, round_seconds = $5, notice_seconds = $6,
                          min_run_seconds = $7, restart_seconds = $8, fee_bps = $9, phi_ppm = $10,
                          limit_cap_micros_per_hour = $11, admission_cap_milli = $12, tilt = $13, version = version + 1
         WHERE id = $1 AND version = $2",
    )
    .bind(pool.id.uuid())
    .bind(pool.version)
    .bind(settings.share_policy.as_str())
    .bind(settings.price_rule.as_str())
    .bind(settings.round_seconds)
    .bind(settings.notice_seconds)
    .bind(settings.min_run_seconds)
    .bind(settings.restart_seconds)
    .bind(settings.fee_bps)
    .bind(settings.phi_ppm)
    .bind(settings.limit_cap.micros())
    .bind(settings.admission_cap_milli)
    .bind(settings.tilt.as_str())
    .execute(tx.conn())
    .await?;
    exactly_one("change of a pool", &result)
}

/// Sets the entitlement prices of classes; without a price, a class follows its lowest floor.
pub async fn set_entitlement_prices(
    tx: &mut Tx,
    pool: PoolId,
    prices: &[(ClassId, Option<PricePerHour>)],
) -> Result<(), StoreError> {
    if prices.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "WITH wanted AS (
             SELECT w.class_id, w.micros FROM unnest($2::text[], $3::bigint[]) AS w (class_id, micros)
         ), removed AS (
             DELETE FROM entitlement_prices e USING wanted w
             WHERE e.pool_id = $1 AND e.class_id = w.class_id AND w.micros IS NULL
         )
         INSERT INTO entitlement_prices (pool_id, class_id, price_micros_per_hour)
         SELECT $1, w.class_id, w.micros FROM wanted w WHERE w.micros IS NOT NULL
         ON CONFLICT (pool_id, class_id) DO UPDATE SET price_micros_per_hour = excluded.price_micros_per_hour",
    )
    .bind(pool.uuid())
    .bind(prices.iter().map(|(class, _)| class.as_str()).collect::<Vec<_>>())
    .bind(prices.iter().map(|(_, price)| price.map(PricePerHour::micros)).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}
