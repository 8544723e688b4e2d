//! What demand is checked against: every pool's terms, its classes, their lowest floors and their last prices.

use scheduler::world::ids::PoolId;
use scheduler::world::{DeviceClass, Millis, PricePerHour};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use time::OffsetDateTime;

use super::{StoreError, Tx, column};

/// A pool's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolTerms {
    /// Which pool.
    pub id: PoolId,
    /// The currency of everything in it.
    pub currency: String,
    /// The largest limit that a bid may carry.
    pub limit_cap: PricePerHour,
    /// How long a rental runs before it can be preempted.
    pub min_run: Millis,
    /// Whether the weights of its jobs are capped, and finish times promised.
    pub promises: bool,
    /// The classes it has devices of, by key.
    pub classes: Vec<ClassTerms>,
}

/// A class in a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTerms {
    /// Which class.
    pub class: DeviceClass,
    /// The lowest floor that a provider asks now; `None` while nobody asks.
    pub floor: Option<PricePerHour>,
    /// The price of the last round, if there was one.
    pub price: Option<PricePerHour>,
}

/// Every pool's terms, the oldest pool first, in one statement.
pub async fn load(tx: &mut Tx, now: OffsetDateTime) -> Result<Vec<PoolTerms>, StoreError> {
    let rows = sqlx::query(
        "SELECT p.id AS pool_id, p.currency, p.limit_cap_micros_per_hour, p.min_run_seconds, p.admission_cap_milli IS NOT NULL AS promises,
                c.id, c.vendor, c.model, c.memory_mib, c.mig_profile,
                (SELECT min(a.floor_micros_per_hour) FROM asks a
                 WHERE a.pool_id = p.id AND a.class_id = c.id AND a.withdrawn_at IS NULL
                   AND (a.ends_at IS NULL OR a.ends_at > $1)) AS floor_micros_per_hour,
                (SELECT r.price_micros_per_hour FROM prices r WHERE r.pool_id = p.id AND r.class_id = c.id
                 ORDER BY r.round_number DESC LIMIT 1) AS price_micros_per_hour
         FROM pools p
         LEFT JOIN (SELECT DISTINCT d.pool_id, d.class_id FROM devices d JOIN nodes n ON n.id = d.node_id WHERE n.state <> 'retired') AS has
              ON has.pool_id = p.id
         LEFT JOIN device_classes c ON c.id = has.class_id
         ORDER BY p.id, c.id",
    )
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    let mut pools: Vec<PoolTerms> = Vec::new();
    for row in &rows {
        let id = column::id(row, "pool_id")?;
        if pools.last().is_none_or(|pool| pool.id != id) {
            pools.push(terms(row, id)?);
        }
        if let (Some(pool), Some(class)) = (pools.last_mut(), class(row)?) {
            pool.classes.push(class);
        }
    }
    Ok(pools)
}

fn terms(row: &PgRow, id: PoolId) -> Result<PoolTerms, StoreError> {
    let min_run: i32 = row.try_get("min_run_seconds")?;
    Ok(PoolTerms {
        id,
        currency: row.try_get("currency")?,
        limit_cap: column::price(row, "limit_cap_micros_per_hour")?,
        min_run: Millis::new(i64::from(min_run) * 1000),
        promises: row.try_get("promises")?,
        classes: Vec::new(),
    })
}

fn class(row: &PgRow) -> Result<Option<ClassTerms>, StoreError> {
    if row.try_get::<Option<String>, _>("id")?.is_none() {
        return Ok(None);
    }
    let class = DeviceClass {
        id: column::parsed(row, "id")?,
        vendor: row.try_get("vendor")?,
        model: row.try_get("model")?,
        memory_mib: row.try_get("memory_mib")?,
        mig_profile: row.try_get("mig_profile")?,
    };
    let floor = column::price_option(row, "floor_micros_per_hour")?;
    Ok(Some(ClassTerms { class, floor, price: column::price_option(row, "price_micros_per_hour")? }))
}
