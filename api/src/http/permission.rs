//! What a route requires, as types: a handler's signature says `Allowed<PlaceBids>`, and nothing else lets it run.

use crate::app::{Caller, Role, Scope, Via};

/// A named requirement on the caller.
pub trait Permission: 'static {
    /// The name shown in the reference and in the authorisation table of the tests.
    const NAME: &'static str;
    /// Whether this caller meets it.
    fn allows(caller: &Caller) -> bool;
}

macro_rules! permissions {
    ($($(#[doc = $doc:literal])+ $name:ident: $label:literal, $roles:pat, $scope:expr;)+) => {
        $($(#[doc = $doc])+
        #[derive(Debug)]
        pub struct $name;

        impl Permission for $name {
            const NAME: &'static str = $label;
            fn allows(caller: &Caller) -> bool {
                matches!(caller.role, $roles) && in_scope(caller, $scope)
            }
        })+
    };
}

permissions! {
    /// Read the organisation's objects.
    Read: "read", _, Some(Scope::Read);
    /// See the organisation's money.
    ReadMoney: "read money", Role::Billing | Role::Admin | Role::Owner | Role::Member, Some(Scope::WalletRead);
    /// Place and cancel bids.
    PlaceBids: "place bids", Role::Member | Role::Admin | Role::Owner, Some(Scope::BidsWrite);
    /// Submit and cancel fair-share jobs.
    SubmitJobs: "submit jobs", Role::Member | Role::Admin | Role::Owner, Some(Scope::JobsWrite);
    /// Rent, stop, open shells.
    Rent: "rent", Role::Member | Role::Admin | Role::Owner, Some(Scope::RentalsWrite);
    /// Add and remove SSH keys.
    WriteKeys: "write SSH keys", Role::Member | Role::Admin | Role::Owner, Some(Scope::KeysWrite);
    /// List capacity: providers, nodes, asks.
    Supply: "supply", Role::Admin | Role::Owner, Some(Scope::SupplyWrite);
    /// See what a provider earned.
    ReadEarnings: "read earnings", Role::Admin | Role::Owner, Some(Scope::WalletRead);
    /// Manage people and API keys. Never by API key.
    Administer: "administer", Role::Admin | Role::Owner, None;
    /// Any authenticated caller.
    Authenticated: "authenticated", _, Some(Scope::Read);
    /// Any person, not a program.
    Person: "person", _, None;
}

/// Operate the marketplace. A flag of the person; never by API key.
#[derive(Debug)]
pub struct Operate;

impl Permission for Operate {
    const NAME: &'static str = "operate";
    fn allows(caller: &Caller) -> bool {
        caller.operator && in_scope(caller, None)
    }
}

/// `None`: no scope suffices, the caller must be a person.
fn in_scope(caller: &Caller, required: Option<Scope>) -> bool {
    match (&caller.via, required) {
        (Via::Token, _) => true,
        (Via::ApiKey { scopes, .. }, Some(scope)) => scopes.contains(&scope),
        (Via::ApiKey { .. }, None) => false,
    }
}
