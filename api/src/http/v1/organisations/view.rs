//! How an organisation looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::organisations::Organisation;

/// Who pays and is paid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Organisation)]
pub struct OrganisationView {
    /// Identity.
    #[schema(example = "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Its name.
    #[schema(example = "Ana's lab")]
    pub name: String,
    /// The currency of its wallet.
    #[schema(example = "USD")]
    pub currency: String,
    /// When it was created.
    #[serde(with = "wire::timestamp")]
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    pub created_at: OffsetDateTime,
}

impl From<Organisation> for OrganisationView {
    fn from(organisation: Organisation) -> Self {
        Self {
            id: organisation.id.to_string(),
            name: organisation.name,
            currency: organisation.currency,
            created_at: organisation.created_at,
        }
    }
}
