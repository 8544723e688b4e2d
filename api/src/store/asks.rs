//! Asks' rows: what providers want for the devices of one class on one node.

use scheduler::world::class::ClassId;
use scheduler::world::ids::{AskId, NodeId, OrganisationId, PoolId, ProviderId};
use scheduler::world::money::PricePerHour;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, column};

/// Two asks for the same devices were placed at the same moment.
pub const RACED: &str = "asks_one_live";

/// An ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Identity.
    pub id: AskId,
    /// The node's pool.
    pub pool: PoolId,
    /// Who asks.
    pub provider: ProviderId,
    /// On which node.
    pub node: NodeId,
    /// For devices of which class.
    pub class: ClassId,
    /// The pool's currency.
    pub currency: String,
    /// Posted price of on-demand use.
    pub price: PricePerHour,
    /// The least for interruptible use.
    pub floor: PricePerHour,
    /// The smallest gang that is let in.
    pub min_chunk: i32,
    /// When the offer ends, if it does.
    pub ends_at: Option<OffsetDateTime>,
    /// When it was taken back.
    pub withdrawn_at: Option<OffsetDateTime>,
    /// When it was placed.
    pub created_at: OffsetDateTime,
    /// For guarded writes.
    pub version: i64,
}

impl<'r> FromRow<'r, PgRow> for Ask {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            pool: column::id(row, "pool_id")?,
            provider: column::id(row, "provider_id")?,
            node: column::id(row, "node_id")?,
            class: column::parsed(row, "class_id")?,
            currency: row.try_get("currency")?,
            price: column::price(row, "price_micros_per_hour")?,
            floor: column::price(row, "floor_micros_per_hour")?,
            min_chunk: row.try_get("min_chunk")?,
            ends_at: row.try_get("ends_at")?,
            withdrawn_at: row.try_get("withdrawn_at")?,
            created_at: row.try_get("created_at")?,
            version: row.try_get("version")?,
        })
    }
}

/// Adds a live ask. Where one is live already, [`RACED`] refuses.
pub async fn insert(tx: &mut Tx, ask: &Ask) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO asks (id, pool_id, provider_id, node_id, class_id, currency, price_micros_per_hour,
                           floor_micros_per_hour, min_chunk, ends_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(ask.id.uuid())
    .bind(ask.pool.uuid())
    .bind(ask.provider.uuid())
    .bind(ask.node.uuid())
    .bind(ask.class.as_str())
    .bind(&ask.currency)
    .bind(ask.price.micros())
    .bind(ask.floor.micros())
    .bind(ask.min_chunk)
    .bind(ask.ends_at)
    .bind(ask.created_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Takes an ask back, if it is still live.
pub async fn withdraw(tx: &mut Tx, ask: &Ask, now: OffsetDateTime) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE asks SET withdrawn_at = $3, version = version + 1 WHERE id = $1 AND version = $2 AND withdrawn_at IS NULL",
    )
    .bind(ask.id.uuid())
    .bind(ask.version)
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("withdrawal of an ask", &result)
}

/// The live ask for a class on a node.
pub async fn live_on(tx: &mut Tx, node: NodeId, class: &ClassId) -> Result<Option<Ask>, StoreError> {
    let ask = sqlx::query_as(
        "SELECT id, pool_id, provider_id, node_id, class_id, currency, price_micros_per_hour, floor_micros_per_hour,
                min_chunk, ends_at, withdrawn_at, created_at, version
         FROM asks WHERE node_id = $1 AND class_id = $2 AND withdrawn_at IS NULL",
    )
    .bind(node.uuid())
    .bind(class.as_str())
    .fetch_optional(tx.conn())
    .await?;
    Ok(ask)
}

/// The live asks on several nodes.
pub async fn live_of_nodes(tx: &mut Tx, nodes: &[NodeId]) -> Result<Vec<Ask>, StoreError> {
    let ids: Vec<Uuid> = nodes.iter().map(|id| id.uuid()).collect();
    let asks = sqlx::query_as(
        "SELECT id, pool_id, provider_id, node_id, class_id, currency, price_micros_per_hour, floor_micros_per_hour,
                min_chunk, ends_at, withdrawn_at, created_at, version
         FROM asks WHERE node_id = ANY($1) AND withdrawn_at IS NULL ORDER BY node_id, class_id",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    Ok(asks)
}

/// The ask, if it exists and the organisation placed it.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: AskId) -> Result<Option<Ask>, StoreError> {
    let ask = sqlx::query_as(
        "SELECT a.id, a.pool_id, a.provider_id, a.node_id, a.class_id, a.currency, a.price_micros_per_hour,
                a.floor_micros_per_hour, a.min_chunk, a.ends_at, a.withdrawn_at, a.created_at, a.version
         FROM asks a JOIN providers p ON p.id = a.provider_id
         WHERE a.id = $1 AND p.organisation_id = $2",
    )
    .bind(id.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(ask)
}

/// An organisation's asks, live and past, newest first; of one node where one is named.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    node: Option<NodeId>,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Ask>, StoreError> {
    let asks = sqlx::query_as(
        "SELECT a.id, a.pool_id, a.provider_id, a.node_id, a.class_id, a.currency, a.price_micros_per_hour,
                a.floor_micros_per_hour, a.min_chunk, a.ends_at, a.withdrawn_at, a.created_at, a.version
         FROM asks a JOIN providers p ON p.id = a.provider_id
         WHERE p.organisation_id = $1 AND ($2::uuid IS NULL OR a.node_id = $2) AND ($3::uuid IS NULL OR a.id < $3)
         ORDER BY a.id DESC LIMIT $4",
    )
    .bind(organisation.uuid())
    .bind(node.map(|id| id.uuid()))
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(asks)
}
