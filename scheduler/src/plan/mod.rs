//! What a round decided. A plan is data: it can be stored, compared, replayed and applied in part.
//!
//! What a plan does not mention stays as it is: an on-demand rental, a gang inside its minimum run that would
//! otherwise lose, a gang already under notice — each keeps its devices at the price it had.

mod depth;
pub mod exchanged;
pub(crate) mod writing;

use crate::explain::Explanation;
use crate::world::{At, ClassId, DemandId, DeviceId, JobFairness, JobId, NodeId, PricePerHour, RentalId};
use serde::{Deserialize, Serialize};

pub use exchanged::Exchanged;

/// The outcome of one round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The instant it was made for.
    pub at: At,
    /// The price of every class, in order of class.
    pub prices: Vec<ClassPrice>,
    /// Gangs that run from now on, new and continuing, in order of demand.
    pub grants: Vec<Grant>,
    /// Gangs that won devices which are not free yet, in order of demand.
    pub awaiting: Vec<Awaiting>,
    /// Gangs that are told to leave, in order of rental.
    pub evictions: Vec<Eviction>,
    /// Gangs whose notice has run out: their devices are given out by this plan.
    pub releases: Vec<Release>,
    /// Why each demand got what it got: exactly one each, in order of demand.
    pub explanations: Vec<Explanation>,
    /// The fairness state of every job, in order of job: to be stored and handed to the next round.
    pub fairness: Vec<Standing>,
    /// The book of every class, in bands of price that hide single limits.
    pub depth: Vec<Depth>,
    /// What the programme of the policy `exchange` found, in pools that have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchanged>,
}

/// The price of one class in one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassPrice {
    /// Which class.
    pub class: ClassId,
    /// What every market grant of the class pays; where nothing was sold, what the next one would pay at least.
    /// `None` for a class that nobody offers.
    pub price: Option<PricePerHour>,
    /// Devices this round could give out.
    pub supply: i32,
    /// Devices it gave out, entitled and market together.
    pub granted: i32,
    /// Devices wanted: the gangs of all demands that accept the class.
    pub demanded: i32,
    /// The lowest limit that still won.
    pub marginal_limit: Option<PricePerHour>,
    /// The highest floor that was sold to the market.
    pub marginal_ask: Option<PricePerHour>,
    /// The highest limit that lost.
    pub losing_limit: Option<PricePerHour>,
}

/// A whole gang on its devices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Who gets it.
    pub demand: DemandId,
    /// On which node: a gang is on one.
    pub node: NodeId,
    /// The class of all its devices.
    pub class: ClassId,
    /// Its devices, in order.
    pub devices: Vec<DeviceId>,
    /// What each device costs per hour from now on.
    pub price: PricePerHour,
    /// By which right.
    pub why: Why,
    /// Whether it is the gang that already runs there: then only its price may change.
    pub continues: bool,
}

/// By which right a gang runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The posted price.
    OnDemand,
    /// A fair share that is owed.
    Entitled,
    /// The round's price.
    Market,
    /// Nobody else could use it: a job runs at the entitlement price.
    Idle,
}

/// A gang that won devices which are still in somebody's hands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaiting {
    /// Who waits.
    pub demand: DemandId,
    /// For devices of this node.
    pub node: NodeId,
    /// Of this class.
    pub class: ClassId,
    /// As many as this.
    pub devices: i32,
    /// By which right.
    pub why: Why,
    /// When the last of them is free.
    pub until: At,
}

/// A gang that must leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eviction {
    /// Which rental.
    pub rental: RentalId,
    /// For which demand it runs.
    pub demand: DemandId,
    /// It runs until then, at the price it has.
    pub notice_until: At,
    /// Why.
    pub because: EvictionCause,
}

/// Why a gang must leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvictionCause {
    /// An on-demand rental claims its devices.
    OnDemand,
    /// A fair share that is owed claims its devices.
    Entitled,
    /// Its limit is below what its devices cost now.
    Outbid,
    /// It can no longer pay for a round.
    Budget,
    /// Its organisation is above its quota.
    Quota,
    /// The node, the device or the ask leaves the market.
    Withdrawn,
    /// It moves to a place that is cheaper or faster.
    Moved,
}

/// A gang whose notice has run out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// Which rental.
    pub rental: RentalId,
    /// For which demand it ran.
    pub demand: DemandId,
}

/// A job's fairness after the round's bookkeeping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Which job.
    pub job: JobId,
    /// Work done by now, in milliunits: as told, and advanced at the measured speed while its gang was usable.
    pub done: i64,
    /// What a private weighted share would have done by now, in milliunits.
    pub reference: i64,
    /// The instant `done`, `reference` and `state` are told for.
    pub advanced_at: At,
    /// Projected finish-time ratio in millionths, against the demand-aware reference. 1,000,000 is a private share.
    pub rho_ppm: i64,
    /// Entitled time due minus received, in milliseconds of one gang. Positive: owed.
    pub lag_millis: i64,
    /// Whether it runs by entitlement from this round.
    pub entitled: bool,
    /// A closed job whose share has caught up: it can be forgotten.
    pub settled: bool,
    /// To be stored and handed back.
    pub state: JobFairness,
}

/// The book of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    /// Which class.
    pub class: ClassId,
    /// Width of a band of limits, in micros per device and hour.
    pub step: i64,
    /// Devices wanted, by limit rounded down to a band; highest first.
    pub bids: Vec<Band>,
    /// Devices offered, by floor; lowest first.
    pub asks: Vec<Band>,
}

/// Devices at one price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// The price, in micros per device and hour.
    pub price: i64,
    /// How many devices.
    pub devices: i32,
}
