//! Nodes that speak, and for how long they have not.

use scheduler::world::ids::{NodeId, OrganisationId, ProviderId, RentalId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, column};

/// Extends the watch, or begins a new one where nobody has watched for longer than `gap`; returns since when it has been
/// watched without a gap.
pub async fn watch(tx: &mut Tx, gap: Duration, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError> {
    let since = sqlx::query_scalar(
        "INSERT INTO watch (since, seen_at) VALUES ($1, $1)
         ON CONFLICT (singleton) DO UPDATE
         SET since = CASE WHEN watch.seen_at < $2 OR watch.seen_at > $1 THEN $1 ELSE watch.since END, seen_at = $1
         RETURNING since",
    )
    .bind(now)
    .bind(now - gap)
    .fetch_one(tx.conn())
    .await?;
    Ok(since)
}

/// A node that has been silent for too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silent {
    /// Which.
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub provider: ProviderId,
    /// The provider's organisation.
    pub organisation: OrganisationId,
    /// Its last word.
    pub heartbeat_at: Option<OffsetDateTime>,
    /// For guarded writes.
    pub version: i64,
}

impl FromRow<'_, PgRow> for Silent {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            name: row.try_get("name")?,
            provider: column::id(row, "provider_id")?,
            organisation: column::id(row, "organisation_id")?,
            heartbeat_at: row.try_get("heartbeat_at")?,
            version: row.try_get("version")?,
        })
    }
}

/// Nodes with an agent, in the market, whose last word is older than `before`, locked.
pub async fn silent(tx: &mut Tx, before: OffsetDateTime, limit: i64) -> Result<Vec<Silent>, StoreError> {
    let nodes = sqlx::query_as(
        "SELECT n.id, n.name, n.provider_id, p.organisation_id, n.heartbeat_at, n.version
         FROM nodes n JOIN providers p ON p.id = n.provider_id
         WHERE n.adapter = 'agent' AND n.state IN ('verifying', 'ready', 'draining') AND (n.heartbeat_at IS NULL OR n.heartbeat_at < $1)
         ORDER BY n.id LIMIT $2 FOR UPDATE OF n SKIP LOCKED",
    )
    .bind(before)
    .bind(limit)
    .fetch_all(tx.conn())
    .await?;
    Ok(nodes)
}

/// Marks a node as lost.
pub async fn lose(tx: &mut Tx, node: &Silent) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE nodes SET state = 'lost', version = version + 1
         WHERE id = $1 AND version = $2 AND state IN ('verifying', 'ready', 'draining')",
    )
    .bind(node.id.uuid())
    .bind(node.version)
    .execute(tx.conn())
    .await?;
    exactly_one("loss of a node", &result)
}

/// Rentals that have devices on the node, and whether they are being stopped.
pub async fn rentals_on(tx: &mut Tx, node: NodeId) -> Result<Vec<(RentalId, bool)>, StoreError> {
    let rows: Vec<(Uuid, bool)> = sqlx::query_as(
        "SELECT id, state = 'stopping' FROM rentals
         WHERE node_id = $1 AND state IN ('provisioning', 'pulling', 'starting', 'running', 'notice', 'stopping') ORDER BY id",
    )
    .bind(node.uuid())
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|(id, stopping)| (id.into(), stopping)).collect())
}
