//! How a member looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::Role;
use crate::http::wire;
use crate::store::StoreError;
use crate::store::members::Member;

/// A person in an organisation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Member)]
pub struct MemberView {
    /// The person.
    #[schema(example = "usr_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub user_id: String,
    /// How the person logs in.
    #[schema(example = "ben@example.org")]
    pub email: String,
    /// What others call the person.
    #[schema(example = "Ben")]
    pub display_name: String,
    /// What the person may do.
    pub role: Role,
    /// Since when the person is a member.
    #[serde(with = "wire::timestamp")]
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    pub created_at: OffsetDateTime,
}

impl TryFrom<Member> for MemberView {
    type Error = StoreError;

    fn try_from(member: Member) -> Result<Self, StoreError> {
        Ok(Self {
            user_id: member.user_id.to_string(),
            role: Role::parse(&member.role).ok_or_else(|| StoreError::corrupt("role", &member.role))?,
            email: member.email,
            display_name: member.display_name,
            created_at: member.created_at,
        })
    }
}
