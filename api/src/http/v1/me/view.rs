//! How the caller looks on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{Role, Scope};
use crate::http::v1::organisations::OrganisationView;
use crate::store::users::User;

/// A person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserView {
    /// Identity.
    #[schema(example = "usr_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// How the person logs in.
    #[schema(example = "ana@example.org")]
    pub email: String,
    /// What others call the person.
    #[schema(example = "Ana")]
    pub display_name: String,
    /// Whether the person operates the marketplace.
    pub operator: bool,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self { id: user.id.to_string(), email: user.email, display_name: user.display_name, operator: user.is_operator }
    }
}

/// The caller and what it acts for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Me)]
pub struct MeView {
    /// The person, or the maker of the API key.
    pub user: UserView,
    /// The organisation the caller acts for.
    pub organisation: OrganisationView,
    /// The person's role there.
    pub role: Role,
    /// What the API key may be used for; null for a person.
    pub scopes: Option<Vec<Scope>>,
}
