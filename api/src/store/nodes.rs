//! Nodes' rows.

use scheduler::world::ids::{NodeId, OrganisationId, PoolId, ProviderId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, column};
use crate::node::{Adapter, Hardware, NodeState};

/// The provider has a node of that name.
pub const NAME_TAKEN: &str = "nodes_provider_id_name_key";

/// A node as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Identity.
    pub id: NodeId,
    /// The pool it is cleared in.
    pub pool: PoolId,
    /// Whose it is.
    pub provider: ProviderId,
    /// Its provider's name for it.
    pub name: String,
    /// Who runs workloads on it.
    pub adapter: Adapter,
    /// Where it stands.
    pub state: NodeState,
    /// Where in the world it is.
    pub region: String,
    /// What it has besides its devices.
    pub hardware: Hardware,
    /// Whether its devices are what they are said to be.
    pub verified: bool,
    /// Share of time in which it kept its promises, in millionths.
    pub reliability_ppm: i32,
    /// When its agent was last heard of.
    pub heartbeat_at: Option<OffsetDateTime>,
    /// When it was added.
    pub created_at: OffsetDateTime,
    /// For guarded writes.
    pub version: i64,
}

/// A node that is added.
#[derive(Debug, Clone)]
pub struct NewNode {
    /// Identity.
    pub id: NodeId,
    /// The pool it is cleared in.
    pub pool: PoolId,
    /// Whose it is.
    pub provider: ProviderId,
    /// Its provider's name for it.
    pub name: String,
    /// Who runs workloads on it.
    pub adapter: Adapter,
    /// Where it begins.
    pub state: NodeState,
    /// Where in the world it is.
    pub region: String,
    /// What it has besides its devices.
    pub hardware: Hardware,
    /// Whether its devices are known to be what they are said to be.
    pub verified: bool,
    /// By which its agent proves who it is.
    pub public_key: Option<Vec<u8>>,
}

impl NewNode {
    /// The node as it will be loaded once it was added at `now`.
    #[must_use]
    pub fn loaded(self, now: OffsetDateTime) -> Node {
        Node {
            id: self.id,
            pool: self.pool,
            provider: self.provider,
            name: self.name,
            adapter: self.adapter,
            state: self.state,
            region: self.region,
            hardware: self.hardware,
            verified: self.verified,
            reliability_ppm: 1_000_000,
            heartbeat_at: None,
            created_at: now,
            version: 1,
        }
    }
}

impl<'r> FromRow<'r, PgRow> for Node {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            pool: column::id(row, "pool_id")?,
            provider: column::id(row, "provider_id")?,
            name: row.try_get("name")?,
            adapter: column::parsed(row, "adapter")?,
            state: column::parsed(row, "state")?,
            region: row.try_get("region")?,
            hardware: Hardware {
                cpu_milli: row.try_get("cpu_milli")?,
                memory_mib: row.try_get("memory_mib")?,
                nvlink: row.try_get("nvlink")?,
                inet_down_mbps: row.try_get("inet_down_mbps")?,
                driver: column::parsed_option(row, "driver")?,
                cuda_max: column::parsed_option(row, "cuda_max")?,
            },
            verified: row.try_get("verified")?,
            reliability_ppm: row.try_get("reliability_ppm")?,
            heartbeat_at: row.try_get("heartbeat_at")?,
            created_at: row.try_get("created_at")?,
            version: row.try_get("version")?,
        })
    }
}

/// Adds a node.
pub async fn insert(tx: &mut Tx, node: &NewNode, now: OffsetDateTime) -> Result<(), StoreError> {
    let hardware = &node.hardware;
    sqlx::query(
        "INSERT INTO nodes (id, pool_id, provider_id, name, adapter, state, region, cpu_milli, memory_mib, nvlink,
                            inet_down_mbps, driver, cuda_max, verified, public_key, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(node.id.uuid())
    .bind(node.pool.uuid())
    .bind(node.provider.uuid())
    .bind(&node.name)
    .bind(node.adapter.as_str())
    .bind(node.state.as_str())
    .bind(&node.region)
    .bind(hardware.cpu_milli)
    .bind(hardware.memory_mib)
    .bind(hardware.nvlink)
    .bind(hardware.inet_down_mbps)
    .bind(hardware.driver.as_ref().map(|version| version.as_str()))
    .bind(hardware.cuda_max.as_ref().map(|version| version.as_str()))
    .bind(node.verified)
    .bind(node.public_key.as_deref())
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The node, if it exists and the organisation provides it.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: NodeId) -> Result<Option<Node>, StoreError> {
    let node = sqlx::query_as(
        "SELECT n.id, n.pool_id, n.provider_id, n.name, n.adapter, n.state, n.region, n.cpu_milli, n.memory_mib, n.nvlink,
                n.inet_down_mbps, n.driver, n.cuda_max, n.verified, n.reliability_ppm, n.heartbeat_at, n.created_at, n.version
         FROM nodes n JOIN providers p ON p.id = n.provider_id
         WHERE n.id = $1 AND p.organisation_id = $2",
    )
    .bind(id.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(node)
}

/// A provider's nodes, newest first.
pub async fn list(tx: &mut Tx, provider: ProviderId, before: Option<Uuid>, rows: i64) -> Result<Vec<Node>, StoreError> {
    let nodes = sqlx::query_as(
        "SELECT id, pool_id, provider_id, name, adapter, state, region, cpu_milli, memory_mib, nvlink,
                inet_down_mbps, driver, cuda_max, verified, reliability_ppm, heartbeat_at, created_at, version
         FROM nodes WHERE provider_id = $1 AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3",
    )
    .bind(provider.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(nodes)
}

/// Moves a node to another state, if it is still as it was loaded.
pub async fn transition(tx: &mut Tx, node: &Node, to: NodeState) -> Result<(), StoreError> {
    let result =
        sqlx::query("UPDATE nodes SET state = $4, version = version + 1 WHERE id = $1 AND version = $2 AND state = $3")
            .bind(node.id.uuid())
            .bind(node.version)
            .bind(node.state.as_str())
            .bind(to.as_str())
            .execute(tx.conn())
            .await?;
    exactly_one("transition of a node", &result)
}
