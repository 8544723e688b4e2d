//! What the audit holds rounds against: the other tables that a round wrote.

use std::collections::BTreeMap;

use scheduler::world::ids::{DeviceId, PoolId, RentalId};
use scheduler::world::{At, ClassId, DemandId};
use sqlx::Row as _;
use time::OffsetDateTime;
use uuid::Uuid;

use super::pool_leases::Head;
use super::{StoreError, Tx, column};
use crate::clock::to_at;
use crate::records::PriceLine;

/// The head of every pool's chain, as the leaders left it.
pub async fn heads(tx: &mut Tx) -> Result<BTreeMap<PoolId, Head>, StoreError> {
    let rows: Vec<(Uuid, i64, Vec<u8>)> =
        sqlx::query_as("SELECT pool_id, last_number, last_hash FROM pool_leases").fetch_all(tx.conn()).await?;
    let head = |(pool, number, hash): (Uuid, i64, Vec<u8>)| {
        let hash = hash.try_into().map_err(|_| StoreError::corrupt("head of a pool's rounds", "not 32 bytes"))?;
        Ok((PoolId::from(pool), Head { number, hash }))
    };
    rows.into_iter().map(head).collect()
}

/// The newest round of the pool that another table knows of.
pub async fn newest_mentioned(tx: &mut Tx, pool: PoolId) -> Result<i64, StoreError> {
    let newest = sqlx::query_scalar(
        "SELECT greatest((SELECT coalesce(max(round_number), 0) FROM prices WHERE pool_id = $1),
                         (SELECT coalesce(max(round_number), 0) FROM explanations WHERE pool_id = $1))",
    )
    .bind(pool.uuid())
    .fetch_one(tx.conn())
    .await?;
    Ok(newest)
}

/// The prices of a pool's rounds `from` to `to`, by round, in order of class; each with its instant.
pub async fn prices(
    tx: &mut Tx,
    pool: PoolId,
    from: i64,
    to: i64,
) -> Result<BTreeMap<i64, Vec<(PriceLine, At)>>, StoreError> {
    let rows = sqlx::query(
        "SELECT round_number, cleared_at, class_id, price_micros_per_hour, supply_devices, granted_devices, demanded_devices
         FROM prices WHERE pool_id = $1 AND round_number BETWEEN $2 AND $3",
    )
    .bind(pool.uuid())
    .bind(from)
    .bind(to)
    .fetch_all(tx.conn())
    .await?;
    let mut prices: BTreeMap<i64, Vec<(PriceLine, At)>> = BTreeMap::new();
    for row in &rows {
        let class: ClassId = column::parsed(row, "class_id")?;
        let line = PriceLine {
            class,
            price: column::price(row, "price_micros_per_hour")?,
            supply: row.try_get("supply_devices")?,
            granted: row.try_get("granted_devices")?,
            demanded: row.try_get("demanded_devices")?,
        };
        prices.entry(row.try_get("round_number")?).or_default().push((line, to_at(row.try_get("cleared_at")?)));
    }
    for lines in prices.values_mut() {
        lines.sort_by(|(a, _), (b, _)| a.class.cmp(&b.class));
    }
    Ok(prices)
}

/// A rental as the audit needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rented {
    /// What it serves.
    pub demand: DemandId,
    /// When it ended, if it did.
    pub ended_at: Option<At>,
    /// The devices of its leases, each with the beginning.
    pub leases: Vec<(DeviceId, At)>,
}

/// These rentals, as far as they exist, with all their leases.
pub async fn rentals(tx: &mut Tx, ids: &[RentalId]) -> Result<BTreeMap<RentalId, Rented>, StoreError> {
    let uuids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query("SELECT id, bid_id, job_id, ended_at FROM rentals WHERE id = ANY($1)")
        .bind(&uuids)
        .fetch_all(tx.conn())
        .await?;
    let mut rentals = BTreeMap::new();
    for row in &rows {
        let id: RentalId = column::id(row, "id")?;
        let bid = column::id_option(row, "bid_id")?.map(DemandId::Bid);
        let job = column::id_option(row, "job_id")?.map(DemandId::Job);
        let ended_at: Option<OffsetDateTime> = row.try_get("ended_at")?;
        let demand = bid.or(job).unwrap_or(DemandId::OnDemand(id));
        rentals.insert(id, Rented { demand, ended_at: ended_at.map(to_at), leases: Vec::new() });
    }
    let rows: Vec<(Uuid, Uuid, OffsetDateTime)> =
        sqlx::query_as("SELECT rental_id, device_id, lower(during) FROM leases WHERE rental_id = ANY($1)")
            .bind(&uuids)
            .fetch_all(tx.conn())
            .await?;
    for (rental, device, since) in rows {
        if let Some(rented) = rentals.get_mut(&RentalId::from(rental)) {
            rented.leases.push((device.into(), to_at(since)));
        }
    }
    Ok(rentals)
}
