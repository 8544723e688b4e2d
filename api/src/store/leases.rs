//! Leases: who holds which device, from when to when. A device's state follows its live lease in the same statement.

use scheduler::world::ids::{DeviceId, LeaseId, NodeId, OrganisationId, PoolId, RentalId};
use time::OffsetDateTime;

use super::{StoreError, Tx};

/// The constraint that keeps two leases from holding one device at one instant.
pub const OVERLAP: &str = "leases_never_overlap";

/// A lease to open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLease {
    /// Identity.
    pub id: LeaseId,
    /// The device's pool.
    pub pool: PoolId,
    /// The rental that gets the device.
    pub rental: RentalId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// The device's node.
    pub node: NodeId,
    /// The device.
    pub device: DeviceId,
}

/// Opens leases from `now` on and takes their devices, all or nothing: a device that is not free is a conflict.
pub async fn open(tx: &mut Tx, leases: &[NewLease], now: OffsetDateTime) -> Result<(), StoreError> {
    if leases.is_empty() {
        return Ok(());
    }
    let result = sqlx::query(
        "WITH wanted AS (
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[])
                      AS l (id, pool_id, rental_id, organisation_id, node_id, device_id)
         ), taken AS (
             UPDATE devices d SET state = 'leased', version = version + 1
             FROM wanted WHERE d.id = wanted.device_id AND d.node_id = wanted.node_id AND d.state = 'free'
             RETURNING d.id
         )
         INSERT INTO leases (id, pool_id, rental_id, organisation_id, node_id, device_id, during)
         SELECT wanted.id, wanted.pool_id, wanted.rental_id, wanted.organisation_id, wanted.node_id, wanted.device_id, tstzrange($7, NULL)
         FROM wanted JOIN taken ON taken.id = wanted.device_id",
    )
    .bind(leases.iter().map(|l| l.id.uuid()).collect::<Vec<_>>())
    .bind(leases.iter().map(|l| l.pool.uuid()).collect::<Vec<_>>())
    .bind(leases.iter().map(|l| l.rental.uuid()).collect::<Vec<_>>())
    .bind(leases.iter().map(|l| l.organisation.uuid()).collect::<Vec<_>>())
    .bind(leases.iter().map(|l| l.node.uuid()).collect::<Vec<_>>())
    .bind(leases.iter().map(|l| l.device.uuid()).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    let wanted = u64::try_from(leases.len()).unwrap_or(u64::MAX);
    match result.rows_affected() {
        opened if opened == wanted => Ok(()),
        opened => Err(StoreError::Stale { what: "opening of leases", touched: opened }),
    }
}

/// Closes the live leases of these rentals at `now` and frees their devices; returns how many were freed. A lease that
/// would have no length leaves no trace. Devices that are draining or faulty stay so.
pub async fn close(tx: &mut Tx, rentals: &[RentalId], now: OffsetDateTime) -> Result<u64, StoreError> {
    let freed = sqlx::query_scalar::<_, i64>(
        "WITH live AS (
             SELECT id, device_id FROM leases WHERE rental_id = ANY($1) AND upper_inf(during)
         ), undone AS (
             DELETE FROM leases WHERE id IN (SELECT id FROM live) AND lower(during) >= $2
         ), closed AS (
             UPDATE leases SET during = tstzrange(lower(during), $2) WHERE id IN (SELECT id FROM live) AND lower(during) < $2
         ), freed AS (
             UPDATE devices SET state = 'free', version = version + 1
             WHERE id IN (SELECT device_id FROM live) AND state = 'leased' RETURNING id
         )
         SELECT count(*) FROM freed",
    )
    .bind(rentals.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .bind(now)
    .fetch_one(tx.conn())
    .await?;
    Ok(u64::try_from(freed).unwrap_or(0))
}

/// The rentals that hold any of these devices now.
pub async fn holders(tx: &mut Tx, devices: &[DeviceId]) -> Result<Vec<RentalId>, StoreError> {
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
        "SELECT DISTINCT rental_id FROM leases WHERE device_id = ANY($1) AND upper_inf(during) ORDER BY rental_id",
    )
    .bind(devices.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}
