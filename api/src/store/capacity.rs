//! What a claim at a posted price needs to know, and the devices that it takes.

use scheduler::world::class::ClassId;
use scheduler::world::ids::{AskId, DeviceId, NodeId, OrganisationId, PoolId, ProviderId, QuoteId};
use scheduler::world::money::PricePerHour;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, column};
use crate::rental::{Capacity, ClassLoad};

/// An ask with everything that decides whether it can be accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The ask.
    pub ask: AskId,
    /// Its pool.
    pub pool: PoolId,
    /// The pool's currency.
    pub currency: String,
    /// The platform's part, in hundredths of a percent.
    pub fee_bps: i32,
    /// The part of each class that fair-share jobs own together, in millionths.
    pub phi_ppm: i32,
    /// Who asks.
    pub provider: ProviderId,
    /// On which node.
    pub node: NodeId,
    /// Whether the node takes new rentals.
    pub node_ready: bool,
    /// For which class.
    pub class: ClassId,
    /// The posted price.
    pub price: PricePerHour,
    /// The smallest gang that is let in.
    pub min_chunk: i32,
    /// When the offer ends, if it does.
    pub ends_at: Option<OffsetDateTime>,
    /// When it was taken back.
    pub withdrawn_at: Option<OffsetDateTime>,
}

impl FromRow<'_, PgRow> for Posted {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            ask: column::id(row, "id")?,
            pool: column::id(row, "pool_id")?,
            currency: row.try_get("currency")?,
            fee_bps: row.try_get("fee_bps")?,
            phi_ppm: row.try_get("phi_ppm")?,
            provider: column::id(row, "provider_id")?,
            node: column::id(row, "node_id")?,
            node_ready: row.try_get("node_ready")?,
            class: column::parsed(row, "class_id")?,
            price: column::price(row, "price_micros_per_hour")?,
            min_chunk: row.try_get("min_chunk")?,
            ends_at: row.try_get("ends_at")?,
            withdrawn_at: row.try_get("withdrawn_at")?,
        })
    }
}

/// The ask of that id, live or not.
pub async fn posted(tx: &mut Tx, ask: AskId) -> Result<Option<Posted>, StoreError> {
    let posted = sqlx::query_as(
        "SELECT a.id, a.pool_id, p.currency, p.fee_bps, p.phi_ppm, a.provider_id, a.node_id, n.state = 'ready' AS node_ready,
                a.class_id, a.price_micros_per_hour, a.min_chunk, a.ends_at, a.withdrawn_at
         FROM asks a JOIN nodes n ON n.id = a.node_id JOIN pools p ON p.id = a.pool_id
         WHERE a.id = $1",
    )
    .bind(ask.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(posted)
}

/// A price that was quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoted {
    /// For which ask.
    pub ask: AskId,
    /// For how many devices.
    pub devices: i32,
    /// The price.
    pub price: PricePerHour,
    /// Until when it is kept.
    pub expires_at: OffsetDateTime,
}

/// The organisation's quote of that id.
pub async fn quoted(tx: &mut Tx, organisation: OrganisationId, quote: QuoteId) -> Result<Option<Quoted>, StoreError> {
    let row: Option<(Uuid, i32, i64, OffsetDateTime)> = sqlx::query_as(
        "SELECT ask_id, devices, price_micros_per_hour, expires_at FROM quotes WHERE id = $1 AND organisation_id = $2",
    )
    .bind(quote.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    let quoted = |(ask, devices, micros, expires_at): (Uuid, i32, i64, _)| {
        let price = PricePerHour::from_micros(micros).map_err(|error| StoreError::corrupt("quote", error))?;
        Ok(Quoted { ask: ask.into(), devices, price, expires_at })
    };
    row.map(quoted).transpose()
}

/// Takes part in a line: claims on one class of a pool are decided one after another, but only where fair-share jobs are
/// entitled to some of it, or may be. Everywhere else devices' rows are all that claims compete for.
pub async fn queue_for(tx: &mut Tx, posted: &Posted) -> Result<(), StoreError> {
    sqlx::query(
        "SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text || $2, 0))
         WHERE EXISTS (SELECT 1 FROM pools WHERE id = $1 AND admission_cap_milli IS NOT NULL)
            OR EXISTS (SELECT 1 FROM jobs WHERE pool_id = $1 AND closed_at IS NULL AND $2 = ANY (class_ids))",
    )
    .bind(posted.pool.uuid())
    .bind(posted.class.as_str())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// How the ask's devices and its class are used. Where finish times are promised, jobs count as wanting all of their part:
/// promises rest on it, whoever is there now.
pub async fn capacity(tx: &mut Tx, posted: &Posted) -> Result<Capacity, StoreError> {
    let row: (i64, i64, i64, i64, i64, i64) = sqlx::query_as(
        "WITH jobs_here AS (
             SELECT CASE WHEN p.admission_cap_milli IS NOT NULL THEN 2147483647 ELSE (
                 SELECT coalesce(sum(gang), 0) FROM jobs WHERE pool_id = $1 AND closed_at IS NULL AND $2 = ANY (class_ids)) END AS wanted
             FROM pools p WHERE p.id = $1
         )
         SELECT (SELECT count(*) FROM devices WHERE node_id = $3 AND class_id = $2 AND state = 'free'),
                (SELECT count(*) FROM rentals r JOIN leases l ON l.rental_id = r.id AND upper_inf(l.during)
                 WHERE r.node_id = $3 AND r.class_id = $2 AND r.state <> 'ended' AND r.kind <> 'on_demand'),
                (SELECT coalesce(sum(r.gang), 0) FROM rentals r JOIN asks a ON a.id = r.ask_id
                 WHERE r.pool_id = $1 AND r.state = 'pending' AND a.node_id = $3 AND r.class_id = $2),
                CASE WHEN j.wanted = 0 THEN 2147483647 ELSE
                    (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id
                     WHERE d.pool_id = $1 AND d.class_id = $2 AND d.state IN ('free', 'leased') AND n.state = 'ready') END,
                CASE WHEN j.wanted = 0 THEN 0 ELSE
                    (SELECT coalesce(sum(gang), 0) FROM rentals
                     WHERE pool_id = $1 AND class_id = $2 AND kind = 'on_demand' AND state NOT IN ('stopped', 'ended')) END,
                j.wanted
         FROM jobs_here j",
    )
    .bind(posted.pool.uuid())
    .bind(posted.class.as_str())
    .bind(posted.node.uuid())
    .fetch_one(tx.conn())
    .await?;
    let number = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    let (free, preemptible, waiting, devices, on_demand, wanted_by_jobs) = row;
    Ok(Capacity {
        free: number(free),
        preemptible: number(preemptible),
        waiting: number(waiting),
        class: ClassLoad {
            devices: number(devices),
            on_demand: number(on_demand),
            wanted_by_jobs: number(wanted_by_jobs),
        },
    })
}

/// Locks up to `wanted` free devices of the ask, passing over those that another claim is just taking.
pub async fn free_devices(tx: &mut Tx, posted: &Posted, wanted: i32) -> Result<Vec<DeviceId>, StoreError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT id FROM devices WHERE node_id = $1 AND class_id = $2 AND state = 'free'
         ORDER BY slot, id LIMIT $3 FOR UPDATE SKIP LOCKED",
    )
    .bind(posted.node.uuid())
    .bind(posted.class.as_str())
    .bind(i64::from(wanted))
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}
