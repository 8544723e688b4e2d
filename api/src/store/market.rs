//! What is for sale in pools and what it costs: figures over many rows, in few statements however many pools.

use scheduler::world::class::{ClassId, DeviceClass};
use scheduler::world::ids::PoolId;
use scheduler::world::money::PricePerHour;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, column};

/// How busy a pool is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// Which pool.
    pub pool: PoolId,
    /// Nodes that are not retired.
    pub nodes: i64,
    /// Their devices.
    pub devices: i64,
    /// Rentals that have not ended.
    pub live_rentals: i64,
    /// Bids that wait for devices.
    pub open_bids: i64,
    /// Jobs that are not closed.
    pub live_jobs: i64,
    /// The last round's number and instant.
    pub last_round: Option<(i64, OffsetDateTime)>,
}

/// One class in one pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFigures {
    /// Which pool.
    pub pool: PoolId,
    /// Which class.
    pub class: DeviceClass,
    /// Devices on nodes that are not retired.
    pub devices: i64,
    /// Those that could be given out now.
    pub devices_free: i64,
    /// Those in somebody's hands.
    pub devices_leased: i64,
    /// The lowest posted price.
    pub on_demand_from: Option<PricePerHour>,
    /// The lowest floor.
    pub floor_from: Option<PricePerHour>,
    /// The entitlement price that the operator posted.
    pub entitlement: Option<PricePerHour>,
    /// The last round's price.
    pub price: Option<PricePerHour>,
    /// The price 24 hours before that round.
    pub price_day_before: Option<PricePerHour>,
}

impl<'r> FromRow<'r, PgRow> for Activity {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let number: Option<i64> = row.try_get("number")?;
        let cleared_at: Option<OffsetDateTime> = row.try_get("cleared_at")?;
        Ok(Self {
            pool: column::id(row, "id")?,
            nodes: row.try_get("nodes")?,
            devices: row.try_get("devices")?,
            live_rentals: row.try_get("live_rentals")?,
            open_bids: row.try_get("open_bids")?,
            live_jobs: row.try_get("live_jobs")?,
            last_round: number.zip(cleared_at),
        })
    }
}

impl<'r> FromRow<'r, PgRow> for ClassFigures {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            pool: column::id(row, "pool_id")?,
            class: DeviceClass {
                id: column::parsed::<ClassId>(row, "class_id")?,
                vendor: row.try_get("vendor")?,
                model: row.try_get("model")?,
                memory_mib: row.try_get("memory_mib")?,
                mig_profile: row.try_get("mig_profile")?,
            },
            devices: row.try_get("devices")?,
            devices_free: row.try_get("devices_free")?,
            devices_leased: row.try_get("devices_leased")?,
            on_demand_from: column::price_option(row, "on_demand_from")?,
            floor_from: column::price_option(row, "floor_from")?,
            entitlement: column::price_option(row, "entitlement")?,
            price: column::price_option(row, "price")?,
            price_day_before: column::price_option(row, "price_day_before")?,
        })
    }
}

/// How busy these pools are.
pub async fn activity(tx: &mut Tx, pools: &[PoolId]) -> Result<Vec<Activity>, StoreError> {
    let ids: Vec<Uuid> = pools.iter().map(|id| id.uuid()).collect();
    let activity = sqlx::query_as(
        "SELECT p.id, last.number, last.cleared_at,
                (SELECT count(*) FROM nodes n WHERE n.pool_id = p.id AND n.state <> 'retired') AS nodes,
                (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id WHERE d.pool_id = p.id AND n.state <> 'retired') AS devices,
                (SELECT count(*) FROM rentals r WHERE r.pool_id = p.id AND r.state <> 'ended') AS live_rentals,
                (SELECT count(*) FROM bids b WHERE b.pool_id = p.id AND b.closed_at IS NULL AND b.state = 'open') AS open_bids,
                (SELECT count(*) FROM jobs j WHERE j.pool_id = p.id AND j.closed_at IS NULL) AS live_jobs
         FROM pools p
         LEFT JOIN LATERAL (SELECT r.number, r.cleared_at FROM rounds r WHERE r.pool_id = p.id ORDER BY r.number DESC LIMIT 1) last ON TRUE
         WHERE p.id = ANY($1)",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    Ok(activity)
}

/// The classes that these pools have devices of.
pub async fn classes(tx: &mut Tx, pools: &[PoolId], now: OffsetDateTime) -> Result<Vec<ClassFigures>, StoreError> {
    let ids: Vec<Uuid> = pools.iter().map(|id| id.uuid()).collect();
    let figures = sqlx::query_as(
        "SELECT s.pool_id, s.class_id, c.vendor, c.model, c.memory_mib, c.mig_profile, s.devices, s.devices_free,
                s.devices_leased, s.on_demand_from, s.floor_from, e.price_micros_per_hour AS entitlement,
                last.price_micros_per_hour AS price, past.price_micros_per_hour AS price_day_before
         FROM (
             SELECT d.pool_id, d.class_id, count(*) AS devices,
                    count(*) FILTER (WHERE d.state = 'free' AND n.state = 'ready') AS devices_free,
                    count(*) FILTER (WHERE d.state = 'leased') AS devices_leased,
                    min(a.price_micros_per_hour) FILTER (WHERE n.state = 'ready') AS on_demand_from,
                    min(a.floor_micros_per_hour) FILTER (WHERE n.state = 'ready') AS floor_from
             FROM devices d
             JOIN nodes n ON n.id = d.node_id
             LEFT JOIN asks a ON a.node_id = d.node_id AND a.class_id = d.class_id AND a.withdrawn_at IS NULL
                  AND (a.ends_at IS NULL OR a.ends_at > $2)
             WHERE d.pool_id = ANY($1) AND n.state <> 'retired'
             GROUP BY d.pool_id, d.class_id
         ) s
         JOIN device_classes c ON c.id = s.class_id
         LEFT JOIN entitlement_prices e ON e.pool_id = s.pool_id AND e.class_id = s.class_id
         LEFT JOIN LATERAL (
             SELECT p.price_micros_per_hour, p.cleared_at FROM prices p
             WHERE p.pool_id = s.pool_id AND p.class_id = s.class_id ORDER BY p.round_number DESC LIMIT 1
         ) last ON TRUE
         LEFT JOIN LATERAL (
             SELECT p.price_micros_per_hour FROM prices p
             WHERE p.pool_id = s.pool_id AND p.class_id = s.class_id AND p.cleared_at <= last.cleared_at - INTERVAL '24 hours'
             ORDER BY p.cleared_at DESC LIMIT 1
         ) past ON TRUE
         ORDER BY s.pool_id, s.class_id",
    )
    .bind(ids)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(figures)
}
