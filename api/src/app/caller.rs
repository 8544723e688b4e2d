//! Who is calling, and what that allows.

use std::collections::BTreeSet;

use scheduler::world::ids::{ApiKeyId, OrganisationId, UserId};

/// An authenticated caller, acting for one organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The organisation whose objects exist for this caller.
    pub organisation: OrganisationId,
    /// The person, or the maker of the API key.
    pub user: UserId,
    /// What the person may do in the organisation.
    pub role: Role,
    /// Whether the person operates the marketplace.
    pub operator: bool,
    /// How the caller proved who it is.
    pub via: Via,
}

/// How a caller proved who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Via {
    /// A person, by an access token.
    Token,
    /// A program, by an API key that narrows its maker's role.
    ApiKey {
        /// The key.
        id: ApiKeyId,
        /// What the key was made for.
        scopes: BTreeSet<Scope>,
    },
}

/// A person's role in an organisation.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads everything but money.
    Viewer,
    /// Reads, and sees the money.
    Billing,
    /// Rents.
    Member,
    /// Rents, lists capacity, manages keys and people.
    Admin,
    /// An admin who can make and unmake owners.
    Owner,
}

impl Role {
    /// All roles, weakest first.
    pub const ALL: [Self; 5] = [Self::Viewer, Self::Billing, Self::Member, Self::Admin, Self::Owner];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Billing => "billing",
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

/// What an API key may be used for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
pub enum Scope {
    /// Read the organisation's objects, but not its money.
    #[serde(rename = "read")]
    Read,
    /// Place and cancel bids.
    #[serde(rename = "bids:write")]
    BidsWrite,
    /// Submit and cancel fair-share jobs.
    #[serde(rename = "jobs:write")]
    JobsWrite,
    /// Rent, stop, and open shells.
    #[serde(rename = "rentals:write")]
    RentalsWrite,
    /// Add and remove SSH keys.
    #[serde(rename = "keys:write")]
    KeysWrite,
    /// List capacity.
    #[serde(rename = "supply:write")]
    SupplyWrite,
    /// See the organisation's money.
    #[serde(rename = "wallet:read")]
    WalletRead,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 7] = [
        Self::Read,
        Self::BidsWrite,
        Self::JobsWrite,
        Self::RentalsWrite,
        Self::KeysWrite,
        Self::SupplyWrite,
        Self::WalletRead,
    ];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::BidsWrite => "bids:write",
            Self::JobsWrite => "jobs:write",
            Self::RentalsWrite => "rentals:write",
            Self::KeysWrite => "keys:write",
            Self::SupplyWrite => "supply:write",
            Self::WalletRead => "wallet:read",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}
