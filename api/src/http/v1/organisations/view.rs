//! How an organisation looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::Role;
use crate::http::wire;
use crate::store::StoreError;
use crate::store::organisations::{Membership, Organisation};

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

/// An organisation and the caller's role in it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Membership)]
pub struct MembershipView {
    /// The organisation.
    pub organisation: OrganisationView,
    /// The caller's role there.
    pub role: Role,
}

impl TryFrom<Membership> for MembershipView {
    type Error = StoreError;

    fn try_from(membership: Membership) -> Result<Self, StoreError> {
        let role = Role::parse(&membership.role).ok_or_else(|| StoreError::corrupt("role", &membership.role))?;
        Ok(Self { organisation: membership.organisation.into(), role })
    }
}
