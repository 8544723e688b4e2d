//! The price of every class in every round: written with the round, read as history.

use scheduler::world::ids::PoolId;
use time::OffsetDateTime;

use super::{StoreError, Tx};
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
