//! How a provider looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::providers::Provider;

/// A provider and how much it lists.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Provider)]
pub struct ProviderView {
    /// Identity.
    #[schema(example = "prv_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The organisation that owns it.
    pub organisation_id: String,
    /// Its public name.
    pub name: String,
    /// The currency of its asks.
    #[schema(example = "USD")]
    pub currency: String,
    /// Nodes that are not retired.
    pub nodes: i64,
    /// Their devices.
    pub devices: i64,
    /// Devices under a lease now.
    pub devices_leased: i64,
    /// When it was created.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}

impl From<Provider> for ProviderView {
    fn from(provider: Provider) -> Self {
        Self {
            id: provider.id.to_string(),
            organisation_id: provider.organisation_id.to_string(),
            name: provider.name,
            currency: provider.currency,
            nodes: provider.nodes,
            devices: provider.devices,
            devices_leased: provider.devices_leased,
            created_at: provider.created_at,
        }
    }
}
