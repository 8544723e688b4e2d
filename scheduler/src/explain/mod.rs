//! Why a demand got what it got: a code from a closed list, and the numbers that show it.

mod losing;
pub(crate) mod reasons;

use crate::world::{At, ClassId, DemandId, PricePerHour};
use serde::{Deserialize, Serialize};

/// One demand's explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// Whose.
    pub demand: DemandId,
    /// What happened.
    pub code: Code,
    /// The numbers behind it.
    pub numbers: Numbers,
}

/// What happened to a demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// It runs by its fair share, or at the entitlement price on what nobody else could use.
    GrantedEntitled,
    /// It runs at the round's price.
    GrantedMarket,
    /// It runs at the posted price.
    GrantedOnDemand,
    /// Its limit is below the price, or at the price and later than those who won.
    Outbid,
    /// The market has no device to give in any class it accepts.
    NoCapacity,
    /// Its limit would do, and no node has a large enough block for it.
    GangDoesNotFit,
    /// Its organisation may not hold more devices.
    OverQuota,
    /// Its funds do not cover one round.
    BudgetPaused,
    /// What it would get is inside a minimum run; or it is itself kept by one though it would lose.
    MinRunProtected,
    /// What it won, or what it leaves, is under notice.
    AwaitingNotice,
}

impl Code {
    /// Every code, in a fixed order.
    pub const ALL: [Self; 10] = [
        Self::GrantedEntitled,
        Self::GrantedMarket,
        Self::GrantedOnDemand,
        Self::Outbid,
        Self::NoCapacity,
        Self::GangDoesNotFit,
        Self::OverQuota,
        Self::BudgetPaused,
        Self::MinRunProtected,
        Self::AwaitingNotice,
    ];

    /// The name in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::GrantedEntitled => "granted_entitled",
            Self::GrantedMarket => "granted_market",
            Self::GrantedOnDemand => "granted_on_demand",
            Self::Outbid => "outbid",
            Self::NoCapacity => "no_capacity",
            Self::GangDoesNotFit => "gang_does_not_fit",
            Self::OverQuota => "over_quota",
            Self::BudgetPaused => "budget_paused",
            Self::MinRunProtected => "min_run_protected",
            Self::AwaitingNotice => "awaiting_notice",
        }
    }
}

/// The numbers of an explanation; those that do not apply are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// Devices it asks for.
    pub gang: i32,
    /// The class the numbers are about: where it runs, or where it came closest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassId>,
    /// The price there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<PricePerHour>,
    /// The most it would have paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<PricePerHour>,
    /// The least limit with which it would have won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_to_win: Option<PricePerHour>,
    /// The largest number of devices one node could have given it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_free_block: Option<i32>,
    /// When what it waits for is over: a notice, or a minimum run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<At>,
    /// Devices its organisation holds, and may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<QuotaUse>,
}

/// How far a quota is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaUse {
    /// Devices held or granted.
    pub held: i32,
    /// Devices allowed.
    pub allowed: i32,
}
