//! Devices' rows.

use scheduler::world::class::ClassId;
use scheduler::world::device::DeviceState;
use scheduler::world::ids::{DeviceId, NodeId, PoolId, RentalId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, UnknownValue, column};
use crate::node::{DeviceChange, NewDevice};

/// A device, and the rental that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Identity, which survives rescans.
    pub id: DeviceId,
    /// Where it is.
    pub node: NodeId,
    /// The class it is traded as.
    pub class: ClassId,
    /// What its driver calls it.
    pub uuid: String,
    /// Its place in the node.
    pub slot: i32,
    /// What it is doing.
    pub state: DeviceState,
    /// Who holds it.
    pub rental: Option<RentalId>,
    /// For guarded writes.
    pub version: i64,
}

impl<'r> FromRow<'r, PgRow> for Device {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            node: column::id(row, "node_id")?,
            class: column::parsed(row, "class_id")?,
            uuid: row.try_get("uuid")?,
            slot: row.try_get("slot")?,
            state: column::converted(row, "state", state)?,
            rental: column::id_option(row, "rental_id")?,
            version: row.try_get("version")?,
        })
    }
}

/// Every state of a device.
pub const STATES: [DeviceState; 5] =
    [DeviceState::Free, DeviceState::Leased, DeviceState::Repartitioning, DeviceState::Draining, DeviceState::Faulty];

/// The name of a state on the wire and in the database.
#[must_use]
pub const fn state_name(state: DeviceState) -> &'static str {
    match state {
        DeviceState::Free => "free",
        DeviceState::Leased => "leased",
        DeviceState::Repartitioning => "repartitioning",
        DeviceState::Draining => "draining",
        DeviceState::Faulty => "faulty",
    }
}

fn state(name: &str) -> Result<DeviceState, UnknownValue> {
    STATES.into_iter().find(|state| state_name(*state) == name).ok_or_else(|| UnknownValue(name.to_owned()))
}

/// Adds free devices to a node.
pub async fn insert(
    tx: &mut Tx,
    pool: PoolId,
    node: NodeId,
    devices: &[(DeviceId, NewDevice)],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if devices.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO devices (id, pool_id, node_id, class_id, uuid, slot, parent, mig_start, state, created_at)
         SELECT d.id, $1, $2, d.class_id, d.uuid, d.slot, d.parent, d.mig_start, 'free', $3
         FROM unnest($4::uuid[], $5::text[], $6::text[], $7::int[], $8::text[], $9::int[])
              AS d (id, class_id, uuid, slot, parent, mig_start)",
    )
    .bind(pool.uuid())
    .bind(node.uuid())
    .bind(now)
    .bind(devices.iter().map(|(id, _)| id.uuid()).collect::<Vec<_>>())
    .bind(devices.iter().map(|(_, device)| device.class.as_str()).collect::<Vec<_>>())
    .bind(devices.iter().map(|(_, device)| device.uuid.as_str()).collect::<Vec<_>>())
    .bind(devices.iter().map(|(_, device)| device.slot).collect::<Vec<_>>())
    .bind(devices.iter().map(|(_, device)| device.parent.as_deref()).collect::<Vec<_>>())
    .bind(devices.iter().map(|(_, device)| device.mig_start).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The devices of several nodes, in the order of their places.
pub async fn of_nodes(tx: &mut Tx, nodes: &[NodeId]) -> Result<Vec<Device>, StoreError> {
    let ids: Vec<Uuid> = nodes.iter().map(|id| id.uuid()).collect();
    let devices = sqlx::query_as(
        "SELECT d.id, d.node_id, d.class_id, d.uuid, d.slot, d.state, d.version, l.rental_id
         FROM devices d
         LEFT JOIN leases l ON l.pool_id = d.pool_id AND l.device_id = d.id AND upper_inf(l.during)
         WHERE d.node_id = ANY($1) ORDER BY d.node_id, d.slot, d.id",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    Ok(devices)
}

/// How many devices of the class the node has that work.
pub async fn count_on(tx: &mut Tx, node: NodeId, class: &ClassId) -> Result<i64, StoreError> {
    let count =
        sqlx::query_scalar("SELECT count(*) FROM devices WHERE node_id = $1 AND class_id = $2 AND state <> 'faulty'")
            .bind(node.uuid())
            .bind(class.as_str())
            .fetch_one(tx.conn())
            .await?;
    Ok(count)
}

/// Changes devices as a rescan found them, if each is still as it was loaded.
pub async fn rescanned(tx: &mut Tx, changes: &[DeviceChange]) -> Result<(), StoreError> {
    if changes.is_empty() {
        return Ok(());
    }
    let result = sqlx::query(
        "UPDATE devices d SET state = c.to_state, slot = c.slot, version = d.version + 1
         FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::int[]) AS c (id, version, from_state, to_state, slot)
         WHERE d.id = c.id AND d.version = c.version AND d.state = c.from_state",
    )
    .bind(changes.iter().map(|change| change.id.uuid()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.version).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| state_name(change.from)).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| state_name(change.to)).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.slot).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    match result.rows_affected() {
        touched if touched == u64::try_from(changes.len()).unwrap_or(u64::MAX) => Ok(()),
        touched => Err(StoreError::Stale { what: "rescan of devices", touched }),
    }
}
