//! Nodes as their agents meet them: by key, and by what they say.

use scheduler::world::ids::{NodeId, OrganisationId, PoolId, ProviderId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;

use super::{StoreError, Tx, column};
use crate::node::{Hardware, NodeState};

/// A node with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentNode {
    /// Which.
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Its pool.
    pub pool: PoolId,
    /// Whose it is.
    pub provider: ProviderId,
    /// The provider's organisation.
    pub organisation: OrganisationId,
    /// Where it stands.
    pub state: NodeState,
    /// By which it proves who it is.
    pub public_key: Vec<u8>,
}

impl FromRow<'_, PgRow> for AgentNode {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            name: row.try_get("name")?,
            pool: column::id(row, "pool_id")?,
            provider: column::id(row, "provider_id")?,
            organisation: column::id(row, "organisation_id")?,
            state: column::parsed(row, "state")?,
            public_key: row.try_get("public_key")?,
        })
    }
}

/// The node of that id, locked.
pub async fn lock(tx: &mut Tx, id: NodeId) -> Result<Option<AgentNode>, StoreError> {
    let node = sqlx::query_as(
        "SELECT n.id, n.name, n.pool_id, n.provider_id, p.organisation_id, n.state, n.public_key
         FROM nodes n JOIN providers p ON p.id = n.provider_id
         WHERE n.id = $1 AND n.adapter = 'agent' AND n.public_key IS NOT NULL FOR UPDATE OF n",
    )
    .bind(id.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(node)
}

/// The node of that id.
pub async fn find(tx: &mut Tx, id: NodeId) -> Result<Option<AgentNode>, StoreError> {
    let node = sqlx::query_as(
        "SELECT n.id, n.name, n.pool_id, n.provider_id, p.organisation_id, n.state, n.public_key
         FROM nodes n JOIN providers p ON p.id = n.provider_id
         WHERE n.id = $1 AND n.adapter = 'agent' AND n.public_key IS NOT NULL",
    )
    .bind(id.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(node)
}

/// The node with that key, locked.
pub async fn with_key(tx: &mut Tx, public_key: &[u8]) -> Result<Option<AgentNode>, StoreError> {
    let node = sqlx::query_as(
        "SELECT n.id, n.name, n.pool_id, n.provider_id, p.organisation_id, n.state, n.public_key
         FROM nodes n JOIN providers p ON p.id = n.provider_id
         WHERE n.public_key = $1 FOR UPDATE OF n",
    )
    .bind(public_key)
    .fetch_optional(tx.conn())
    .await?;
    Ok(node)
}

/// Whether that token was used up by that node: its enrolment is being repeated.
pub async fn enrolled_by(tx: &mut Tx, node: NodeId, token_hash: &[u8; 32]) -> Result<bool, StoreError> {
    let used =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM enrolment_tokens WHERE token_hash = $1 AND node_id = $2)")
            .bind(token_hash.as_slice())
            .bind(node.uuid())
            .fetch_one(tx.conn())
            .await?;
    Ok(used)
}

/// Writes what a known node says it has now.
pub async fn rescan(tx: &mut Tx, node: NodeId, hardware: &Hardware) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE nodes SET cpu_milli = $2, memory_mib = $3, driver = $4, cuda_max = $5, version = version + 1 WHERE id = $1",
    )
    .bind(node.uuid())
    .bind(hardware.cpu_milli)
    .bind(hardware.memory_mib)
    .bind(hardware.driver.as_ref().map(|version| version.as_str()))
    .bind(hardware.cuda_max.as_ref().map(|version| version.as_str()))
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Notes that the node was heard. A heartbeat that arrives late never takes a later one back, and does not count as a
/// change that guarded writes must know of, unless the state changes.
pub async fn heard(tx: &mut Tx, node: &AgentNode, state: NodeState, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE nodes SET heartbeat_at = greatest(heartbeat_at, $2), state = $3, version = version + (state <> $3)::int WHERE id = $1",
    )
    .bind(node.id.uuid())
    .bind(now)
    .bind(state.as_str())
    .execute(tx.conn())
    .await?;
    Ok(())
}
