//! What there is: classes, nodes, devices, asks.

use std::collections::{BTreeMap, BTreeSet};

use scheduler::world::ids::{AskId, DeviceId, NodeId, PoolId, ProviderId};
use scheduler::world::{Ask, ClassSupply, Device, DeviceState, Node, NodeState, PricePerHour};
use time::OffsetDateTime;
use uuid::Uuid;

use super::super::{StoreError, Tx};
use super::valid;
use crate::clock::to_at;

/// The classes of the pool's devices, with what they cost in the last round.
pub(super) async fn classes(tx: &mut Tx, pool: PoolId, last_number: i64) -> Result<Vec<ClassSupply>, StoreError> {
    let rows: Vec<(String, Option<i64>, Option<i64>)> = sqlx::query_as(
        "SELECT c.class_id, e.price_micros_per_hour, p.price_micros_per_hour
         FROM (SELECT DISTINCT d.class_id FROM devices d JOIN nodes n ON n.id = d.node_id WHERE d.pool_id = $1 AND n.state <> 'retired') c
         LEFT JOIN entitlement_prices e ON e.pool_id = $1 AND e.class_id = c.class_id
         LEFT JOIN prices p ON p.pool_id = $1 AND p.class_id = c.class_id AND p.round_number = $2",
    )
    .bind(pool.uuid())
    .bind(last_number)
    .fetch_all(tx.conn())
    .await?;
    let class = |(id, entitlement, previous): (String, Option<i64>, Option<i64>)| {
        Ok(ClassSupply {
            id: valid("device class", id.parse())?,
            entitlement_price: valid("entitlement price", entitlement.map(PricePerHour::from_micros).transpose())?,
            previous_price: valid("price", previous.map(PricePerHour::from_micros).transpose())?,
        })
    };
    rows.into_iter().map(class).collect()
}

/// The nodes of the pool that are not retired, with their devices and live asks; all of them, or only those named.
pub(in crate::store) async fn nodes(
    tx: &mut Tx,
    pool: PoolId,
    only: Option<&BTreeSet<NodeId>>,
    now: OffsetDateTime,
) -> Result<Vec<Node>, StoreError> {
    let only: Option<Vec<Uuid>> = only.map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let rows: Vec<(Uuid, Uuid, String)> = sqlx::query_as(
        "SELECT id, provider_id, state FROM nodes
         WHERE pool_id = $1 AND state <> 'retired' AND ($2::uuid[] IS NULL OR id = ANY($2))",
    )
    .bind(pool.uuid())
    .bind(&only)
    .fetch_all(tx.conn())
    .await?;
    let mut nodes = BTreeMap::new();
    for (id, provider, state) in rows {
        let (id, provider) = (NodeId::from(id), ProviderId::from(provider));
        let state = node_state(&state)?;
        nodes.insert(id, Node { id, provider, state, devices: Vec::new(), asks: Vec::new() });
    }
    for (node, device) in devices(tx, pool, only.as_deref()).await? {
        if let Some(node) = nodes.get_mut(&node) {
            node.devices.push(device);
        }
    }
    for (node, ask) in asks(tx, pool, only.as_deref(), now).await? {
        if let Some(node) = nodes.get_mut(&node) {
            node.asks.push(ask);
        }
    }
    Ok(nodes.into_values().collect())
}

async fn devices(tx: &mut Tx, pool: PoolId, only: Option<&[Uuid]>) -> Result<Vec<(NodeId, Device)>, StoreError> {
    let rows: Vec<(Uuid, Uuid, String, i32, String)> = sqlx::query_as(
        "SELECT node_id, id, class_id, slot, state FROM devices
         WHERE pool_id = $1 AND ($2::uuid[] IS NULL OR node_id = ANY($2))",
    )
    .bind(pool.uuid())
    .bind(only)
    .fetch_all(tx.conn())
    .await?;
    let device = |(node, id, class, slot, state): (Uuid, Uuid, String, i32, String)| {
        let class = valid("device class", class.parse())?;
        let state = device_state(&state)?;
        Ok((NodeId::from(node), Device { id: DeviceId::from(id), class, slot, state }))
    };
    rows.into_iter().map(device).collect()
}

#[derive(sqlx::FromRow)]
struct AskRow {
    #[sqlx(try_from = "Uuid")]
    id: AskId,
    #[sqlx(try_from = "Uuid")]
    node_id: NodeId,
    class_id: String,
    price_micros_per_hour: i64,
    floor_micros_per_hour: i64,
    min_chunk: i32,
    ends_at: Option<OffsetDateTime>,
}

async fn asks(
    tx: &mut Tx,
    pool: PoolId,
    only: Option<&[Uuid]>,
    now: OffsetDateTime,
) -> Result<Vec<(NodeId, Ask)>, StoreError> {
    let rows: Vec<AskRow> = sqlx::query_as(
        "SELECT id, node_id, class_id, price_micros_per_hour, floor_micros_per_hour, min_chunk, ends_at
         FROM asks
         WHERE pool_id = $1 AND ($2::uuid[] IS NULL OR node_id = ANY($2)) AND withdrawn_at IS NULL AND (ends_at IS NULL OR ends_at > $3)",
    )
    .bind(pool.uuid())
    .bind(only)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    let ask = |row: AskRow| {
        let ask = Ask {
            id: row.id,
            class: valid("device class", row.class_id.parse())?,
            floor: valid("floor", PricePerHour::from_micros(row.floor_micros_per_hour))?,
            price: valid("price", PricePerHour::from_micros(row.price_micros_per_hour))?,
            min_chunk: row.min_chunk,
            ends_at: row.ends_at.map(to_at),
        };
        Ok((row.node_id, ask))
    };
    rows.into_iter().map(ask).collect()
}

/// A node's stored state as the market sees it: what is not ready and not draining offers nothing.
fn node_state(stored: &str) -> Result<NodeState, StoreError> {
    match stored {
        "ready" => Ok(NodeState::Ready),
        "draining" => Ok(NodeState::Draining),
        "enrolling" | "verifying" | "lost" | "quarantined" | "retired" => Ok(NodeState::Unavailable),
        _ => Err(StoreError::corrupt("node state", stored)),
    }
}

/// A device's stored state.
fn device_state(stored: &str) -> Result<DeviceState, StoreError> {
    match stored {
        "free" => Ok(DeviceState::Free),
        "leased" => Ok(DeviceState::Leased),
        "repartitioning" => Ok(DeviceState::Repartitioning),
        "draining" => Ok(DeviceState::Draining),
        "faulty" => Ok(DeviceState::Faulty),
        _ => Err(StoreError::corrupt("device state", stored)),
    }
}
