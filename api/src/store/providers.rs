//! Providers' rows.

use scheduler::world::ids::{OrganisationId, ProviderId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// A provider and how much it lists.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Provider {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: ProviderId,
    /// The organisation that owns it.
    #[sqlx(try_from = "Uuid")]
    pub organisation_id: OrganisationId,
    /// Its public name.
    pub name: String,
    /// The currency of its asks.
    pub currency: String,
    /// Nodes that are not retired.
    pub nodes: i64,
    /// Their devices.
    pub devices: i64,
    /// Devices under a lease now.
    pub devices_leased: i64,
    /// When it was created.
    pub created_at: OffsetDateTime,
}

/// Adds a provider.
pub async fn insert(
    tx: &mut Tx,
    id: ProviderId,
    organisation: OrganisationId,
    name: &str,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO providers (id, organisation_id, name, currency, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(id.uuid())
        .bind(organisation.uuid())
        .bind(name)
        .bind(currency)
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// An organisation's providers, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Provider>, StoreError> {
    let providers = sqlx::query_as(
        "SELECT p.id, p.organisation_id, p.name, p.currency, p.created_at,
                (SELECT count(*) FROM nodes n WHERE n.provider_id = p.id AND n.state <> 'retired') AS nodes,
                (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id WHERE n.provider_id = p.id AND n.state <> 'retired') AS devices,
                (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id WHERE n.provider_id = p.id AND d.state = 'leased') AS devices_leased
         FROM providers p
         WHERE p.organisation_id = $1 AND ($2::uuid IS NULL OR p.id < $2)
         ORDER BY p.id DESC LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(providers)
}

/// The provider, if it exists and is the organisation's.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: ProviderId) -> Result<Option<Provider>, StoreError> {
    let provider = sqlx::query_as(
        "SELECT p.id, p.organisation_id, p.name, p.currency, p.created_at,
                (SELECT count(*) FROM nodes n WHERE n.provider_id = p.id AND n.state <> 'retired') AS nodes,
                (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id WHERE n.provider_id = p.id AND n.state <> 'retired') AS devices,
                (SELECT count(*) FROM devices d JOIN nodes n ON n.id = d.node_id WHERE n.provider_id = p.id AND d.state = 'leased') AS devices_leased
         FROM providers p WHERE p.id = $1 AND p.organisation_id = $2",
    )
    .bind(id.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(provider)
}
