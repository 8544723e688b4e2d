//! The price of every class in every round: written with the round, read as history.

use std::collections::BTreeMap;

use scheduler::world::ids::PoolId;
use scheduler::world::{ClassId, PricePerHour};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;

use super::{StoreError, Tx, column};
use crate::records::PriceLine;

/// Adds a round's prices, in one statement.
pub async fn insert(
    tx: &mut Tx,
    pool: PoolId,
    number: i64,
    lines: &[PriceLine],
    cleared_at: OffsetDateTime,
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO prices (pool_id, round_number, cleared_at, class_id, price_micros_per_hour, supply_devices, granted_devices, demanded_devices)
         SELECT $1, $2, $3, p.* FROM unnest($4::text[], $5::bigint[], $6::int[], $7::int[], $8::int[]) AS p",
    )
    .bind(pool.uuid())
    .bind(number)
    .bind(cleared_at)
    .bind(lines.iter().map(|line| line.class.as_str()).collect::<Vec<_>>())
    .bind(lines.iter().map(|line| line.price.micros()).collect::<Vec<_>>())
    .bind(lines.iter().map(|line| line.supply).collect::<Vec<_>>())
    .bind(lines.iter().map(|line| line.granted).collect::<Vec<_>>())
    .bind(lines.iter().map(|line| line.demanded).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// A bucket of price history: the prices of its rounds in bands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    /// Where the bucket begins: a multiple of the step since the Unix epoch.
    pub at: OffsetDateTime,
    /// The first round's price.
    pub open: PricePerHour,
    /// The highest.
    pub high: PricePerHour,
    /// The lowest.
    pub low: PricePerHour,
    /// The last round's price.
    pub close: PricePerHour,
    /// A tenth of the rounds were at or below this.
    pub p10: PricePerHour,
    /// Half of them.
    pub p50: PricePerHour,
    /// Nine tenths of them.
    pub p90: PricePerHour,
    /// Devices that a round could give out, on average.
    pub supply: i64,
    /// Devices that it gave out, on average.
    pub granted: i64,
    /// Devices wanted, on average.
    pub demanded: i64,
    /// Rounds in the bucket.
    pub rounds: i64,
}

impl FromRow<'_, PgRow> for Bucket {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            at: row.try_get("at")?,
            open: column::price(row, "open")?,
            high: column::price(row, "high")?,
            low: column::price(row, "low")?,
            close: column::price(row, "close")?,
            p10: column::price(row, "p10")?,
            p50: column::price(row, "p50")?,
            p90: column::price(row, "p90")?,
            supply: row.try_get("supply")?,
            granted: row.try_get("granted")?,
            demanded: row.try_get("demanded")?,
            rounds: row.try_get("rounds")?,
        })
    }
}

/// A class's prices from `from` (included) to `to` (excluded) in buckets of a step, oldest first.
pub async fn history(
    tx: &mut Tx,
    pool: PoolId,
    class: &ClassId,
    (from, to): (OffsetDateTime, OffsetDateTime),
    step_seconds: i32,
) -> Result<Vec<Bucket>, StoreError> {
    let buckets = sqlx::query_as(
        "SELECT date_bin(make_interval(secs => $5), cleared_at, TIMESTAMPTZ 'epoch') AS at,
                (array_agg(price_micros_per_hour ORDER BY round_number))[1] AS open,
                max(price_micros_per_hour) AS high,
                min(price_micros_per_hour) AS low,
                (array_agg(price_micros_per_hour ORDER BY round_number DESC))[1] AS close,
                percentile_disc(0.1) WITHIN GROUP (ORDER BY price_micros_per_hour) AS p10,
                percentile_disc(0.5) WITHIN GROUP (ORDER BY price_micros_per_hour) AS p50,
                percentile_disc(0.9) WITHIN GROUP (ORDER BY price_micros_per_hour) AS p90,
                round(avg(supply_devices))::bigint AS supply,
                round(avg(granted_devices))::bigint AS granted,
                round(avg(demanded_devices))::bigint AS demanded,
                count(*) AS rounds
         FROM prices
         WHERE pool_id = $1 AND class_id = $2 AND cleared_at >= $3 AND cleared_at < $4
         GROUP BY at ORDER BY at",
    )
    .bind(pool.uuid())
    .bind(class.as_str())
    .bind(from)
    .bind(to)
    .bind(step_seconds)
    .fetch_all(tx.conn())
    .await?;
    Ok(buckets)
}

/// The last prices of these classes, as far as a round has priced them, in one statement.
pub async fn latest(
    tx: &mut Tx,
    classes: &[(PoolId, &ClassId)],
) -> Result<BTreeMap<(PoolId, ClassId), PricePerHour>, StoreError> {
    let rows = sqlx::query(
        "SELECT c.pool_id, c.class_id, last.price_micros_per_hour
         FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[])) AS c (pool_id, class_id)
         CROSS JOIN LATERAL (SELECT p.price_micros_per_hour FROM prices p WHERE p.pool_id = c.pool_id AND p.class_id = c.class_id
                             ORDER BY p.round_number DESC LIMIT 1) AS last",
    )
    .bind(classes.iter().map(|(pool, _)| pool.uuid()).collect::<Vec<_>>())
    .bind(classes.iter().map(|(_, class)| class.as_str()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let mut latest = BTreeMap::new();
    for row in &rows {
        let class: ClassId = column::parsed(row, "class_id")?;
        latest.insert((column::id(row, "pool_id")?, class), column::price(row, "price_micros_per_hour")?);
    }
    Ok(latest)
}
