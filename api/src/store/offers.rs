//! Offers: live asks on ready nodes, with what their devices are doing, derived in one statement.

use scheduler::world::class::DeviceClass;
use scheduler::world::ids::{AskId, PoolId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;

use super::{StoreError, Tx, column};
use crate::offers::Offer;

struct OfferRow(Offer);

impl<'r> FromRow<'r, PgRow> for OfferRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(Offer {
            ask: column::id(row, "ask_id")?,
            pool: column::id(row, "pool_id")?,
            node: column::id(row, "node_id")?,
            provider: column::id(row, "provider_id")?,
            provider_name: row.try_get("provider_name")?,
            class: DeviceClass {
                id: column::parsed(row, "class_id")?,
                vendor: row.try_get("vendor")?,
                model: row.try_get("model")?,
                memory_mib: row.try_get("memory_mib")?,
                mig_profile: row.try_get("mig_profile")?,
            },
            region: row.try_get("region")?,
            currency: row.try_get("currency")?,
            price: column::price(row, "price_micros_per_hour")?,
            floor: column::price(row, "floor_micros_per_hour")?,
            market_price: column::price_option(row, "market_price")?,
            min_chunk: row.try_get("min_chunk")?,
            devices_total: row.try_get("total")?,
            devices_free: row.try_get("free")?,
            devices_preemptible: row.try_get("preemptible")?,
            reliability_ppm: row.try_get("reliability_ppm")?,
            verified: row.try_get("verified")?,
            nvlink: row.try_get("nvlink")?,
            inet_down_mbps: row.try_get("inet_down_mbps")?,
            driver: column::parsed_option(row, "driver")?,
            cuda_max: column::parsed_option(row, "cuda_max")?,
            ends_at: row.try_get("ends_at")?,
        }))
    }
}

/// Every offer at `now`: of one pool, or of one ask, where such are named. An ask on a node that is not ready, or without
/// a working device, is no offer.
pub async fn all(
    tx: &mut Tx,
    pool: Option<PoolId>,
    ask: Option<AskId>,
    now: OffsetDateTime,
) -> Result<Vec<Offer>, StoreError> {
    let rows: Vec<OfferRow> = sqlx::query_as(
        "SELECT a.id AS ask_id, a.pool_id, a.node_id, n.provider_id, p.name AS provider_name, a.class_id, c.vendor, c.model,
                c.memory_mib, c.mig_profile, n.region, a.currency, a.price_micros_per_hour, a.floor_micros_per_hour,
                a.min_chunk, a.ends_at, n.reliability_ppm, n.verified, n.nvlink, n.inet_down_mbps, n.driver, n.cuda_max,
                d.total, d.free, d.preemptible,
                (SELECT r.price_micros_per_hour FROM prices r WHERE r.pool_id = a.pool_id AND r.class_id = a.class_id
                 ORDER BY r.round_number DESC LIMIT 1) AS market_price
         FROM asks a
         JOIN nodes n ON n.id = a.node_id AND n.state = 'ready'
         JOIN providers p ON p.id = n.provider_id
         JOIN device_classes c ON c.id = a.class_id
         JOIN LATERAL (
             SELECT count(*)::int AS total,
                    (count(*) FILTER (WHERE d.state = 'free'))::int AS free,
                    (count(*) FILTER (WHERE r.kind <> 'on_demand' AND r.state <> 'notice'))::int AS preemptible
             FROM devices d
             LEFT JOIN leases l ON l.pool_id = d.pool_id AND l.device_id = d.id AND upper_inf(l.during)
             LEFT JOIN rentals r ON r.id = l.rental_id
             WHERE d.node_id = a.node_id AND d.class_id = a.class_id AND d.state <> 'faulty'
         ) d ON d.total > 0
         WHERE a.withdrawn_at IS NULL AND (a.ends_at IS NULL OR a.ends_at > $3)
           AND a.price_micros_per_hour > 0 AND a.floor_micros_per_hour > 0
           AND ($1::uuid IS NULL OR a.pool_id = $1) AND ($2::uuid IS NULL OR a.id = $2)",
    )
    .bind(pool.map(|id| id.uuid()))
    .bind(ask.map(|id| id.uuid()))
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
