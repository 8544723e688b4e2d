//! How the operators' overview looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::invariants::Finding;
use crate::http::wire;
use crate::loops::{LoopName, Report};
use crate::store::admin::OrganisationFunds;

/// The marketplace at a glance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Overview)]
pub struct OverviewView {
    /// Organisations.
    #[schema(example = 42)]
    pub organisations: i64,
    /// People.
    #[schema(example = 117)]
    pub users: i64,
    /// What must always be true of the money, as of the last check.
    pub invariants: Vec<InvariantView>,
    /// Alerts that are not resolved.
    #[schema(example = 0)]
    pub alerts_open: i64,
    /// How this server's loops fare.
    pub loops: Vec<LoopView>,
}

/// Something that must always be true.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Invariant)]
pub struct InvariantView {
    /// Its name.
    #[schema(example = "balances_equal_entries")]
    pub name: &'static str,
    /// Whether it is.
    pub holds: bool,
    /// What it says, or what breaks it.
    #[schema(example = "every balance is the sum of its entries")]
    pub detail: String,
}

impl From<&Finding> for InvariantView {
    fn from(finding: &Finding) -> Self {
        Self { name: finding.name, holds: finding.holds(), detail: finding.detail() }
    }
}

/// A loop of this server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Loop)]
pub struct LoopView {
    /// Its name.
    #[schema(example = "metering")]
    pub name: &'static str,
    /// When it last ended a step.
    #[serde(with = "wire::timestamp::option")]
    pub last_run_at: Option<OffsetDateTime>,
    /// What its last step failed with.
    pub last_error: Option<String>,
}

impl From<(LoopName, Report)> for LoopView {
    fn from((name, report): (LoopName, Report)) -> Self {
        Self { name: name.as_str(), last_run_at: report.last_run_at, last_error: report.last_error }
    }
}

/// An organisation and its money.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrganisationFunds)]
pub struct OrganisationFundsView {
    /// Identity.
    #[schema(example = "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Its name.
    #[schema(example = "Ana's lab")]
    pub name: String,
    /// The currency of its wallet.
    #[schema(example = "USD")]
    pub currency: String,
    /// What it can spend.
    #[schema(example = "87.50")]
    pub available: String,
    /// What is set aside.
    #[schema(example = "12.50")]
    pub held: String,
    /// When it was created.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}

impl From<OrganisationFunds> for OrganisationFundsView {
    fn from(funds: OrganisationFunds) -> Self {
        Self {
            id: funds.id.to_string(),
            name: funds.name,
            currency: funds.currency,
            available: funds.available.to_string(),
            held: funds.held.to_string(),
            created_at: funds.created_at,
        }
    }
}
