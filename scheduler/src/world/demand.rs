//! Who wants what in a round: on-demand claims, interruptible bids and fair-share jobs.

use super::class::ClassId;
use super::ids::{AskId, BidId, JobId, NodeId, OrganisationId, RentalId};
use super::money::{Micros, PricePerHour};
use super::time::{At, Millis};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// One demand of the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demand {
    /// Who asks, and pays.
    pub owner: OrganisationId,
    /// When it was made: the earlier of two equals goes first.
    pub arrived_at: At,
    /// What is asked for.
    pub want: Want,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Want {
    /// Devices now, at the posted price, until the tenant stops.
    OnDemand(OnDemand),
    /// Devices while the round's price is at or below a limit.
    Bid(Bid),
    /// An amount of work, finished as soon as is fair.
    Job(Job),
}

/// A claim at the posted price that found no free devices and may have to wait for a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnDemand {
    /// The rental that waits for its devices.
    pub rental: RentalId,
    /// The ask that was accepted.
    pub ask: AskId,
    /// The node it is for.
    pub node: NodeId,
    /// The class it is for.
    pub class: ClassId,
    /// How many devices, all or nothing.
    pub gang: i32,
    /// The ask's posted price when it was accepted.
    pub price: PricePerHour,
}

/// An interruptible bid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bid {
    /// Which bid.
    pub bid: BidId,
    /// Acceptable classes: any of them does, for the same limit.
    pub classes: Vec<ClassId>,
    /// How many devices, all or nothing, on one node.
    pub gang: i32,
    /// The most it pays for one device and hour.
    pub limit: PricePerHour,
    /// What is still set aside for it.
    pub funds: Micros,
    /// When the bid itself ends, if it does.
    pub ends_at: Option<At>,
}

/// A fair-share job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Which job.
    pub job: JobId,
    /// How many devices, all or nothing, on one node.
    pub gang: i32,
    /// Its weight in thousandths; 1000 is the usual share.
    pub weight_milli: i32,
    /// Where it can run, and how fast its whole gang is there.
    pub speeds: Vec<ClassSpeed>,
    /// All the work, in thousandths of the profile's unit.
    pub work: i64,
    /// Work done up to `advanced_at`, in the same unit.
    pub done: i64,
    /// What a private weighted share of the pool would have done up to `advanced_at`, in the same unit.
    pub reference: i64,
    /// What is left of its budget.
    pub budget_left: Micros,
    /// Up to when `done`, `reference` and `fairness` are told.
    pub advanced_at: At,
    /// What the round before handed over. A new job has the default.
    #[serde(default)]
    pub fairness: JobFairness,
}

/// A job's measured speed on one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSpeed {
    /// The class.
    pub class: ClassId,
    /// Progress of the whole gang, in thousandths of the profile's unit per second. 0: it cannot run there.
    pub milliunits_per_second: i64,
}

/// What a round hands to the next about one job. Stored as it is, read by nobody else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobFairness {
    /// Entitled time due minus entitled time received, in trillionths of a quantum. Positive: owed.
    pub credit: i64,
    /// The part of its time to which the job has been entitled since, in trillionths.
    pub share: i64,
    /// Entitled time that its gang uses up per time it runs, in trillionths; 0 when it does not run by entitlement.
    pub service: i64,
    /// When the quantum that its gang is serving ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantum_until: Option<At>,
    /// The weight that its share was computed with, in thousandths; 0 before the first round.
    pub weight_milli: i32,
    /// Speed of its reference since, in millionths of a milliunit per second.
    pub pace: i64,
    /// How long the reference took for all the work, once it was done with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal: Option<Millis>,
    /// Time its gang has run by whatever right.
    pub received: Millis,
    /// Fractions of a milliunit that are not in `done` yet, in thousandths.
    pub done_rest: i64,
    /// Fractions of a milliunit that are not in `reference` yet, in billionths.
    pub reference_rest: i64,
    /// Sum of the weights that have counted since over the job's own, in thousandths: how many jobs like it there are.
    pub crowd_milli: i64,
    /// The integral of that over the job's life, in milliseconds times thousandths.
    pub crowd_sum: i64,
    /// What the share policy wants the job to have on each class, and owes it there. Empty under policies without targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<ClassTarget>,
}

/// A share policy's account of one job on one class, handed from round to round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassTarget {
    /// The class.
    pub class: ClassId,
    /// The fraction of its time for which the gang should run there from now on, in trillionths.
    pub share: i64,
    /// Time due there minus time received, in trillionths of a quantum. Positive: owed.
    pub credit: i64,
}

/// Which demand: one key over the three kinds, ordered on-demand, bid, job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DemandId {
    /// An on-demand rental.
    OnDemand(RentalId),
    /// A bid.
    Bid(BidId),
    /// A job.
    Job(JobId),
}

impl Demand {
    /// Which demand this is.
    #[must_use]
    pub fn id(&self) -> DemandId {
        match &self.want {
            Want::OnDemand(claim) => DemandId::OnDemand(claim.rental),
            Want::Bid(bid) => DemandId::Bid(bid.bid),
            Want::Job(job) => DemandId::Job(job.job),
        }
    }

    /// How many devices it needs at once.
    #[must_use]
    pub fn gang(&self) -> i32 {
        match &self.want {
            Want::OnDemand(claim) => claim.gang,
            Want::Bid(bid) => bid.gang,
            Want::Job(job) => job.gang,
        }
    }

    /// Whether it can run on devices of the class.
    #[must_use]
    pub fn accepts(&self, class: &ClassId) -> bool {
        match &self.want {
            Want::OnDemand(claim) => claim.class == *class,
            Want::Bid(bid) => bid.classes.contains(class),
            Want::Job(job) => job.speed_on(class) > 0,
        }
    }
}

impl Job {
    /// Speed of the whole gang on the class, in milliunits per second; 0 where it cannot run.
    #[must_use]
    pub fn speed_on(&self, class: &ClassId) -> i64 {
        let found = self.speeds.iter().find(|speed| speed.class == *class);
        found.map_or(0, |speed| speed.milliunits_per_second.max(0))
    }

    /// Work still to do, in milliunits.
    #[must_use]
    pub fn remaining(&self) -> i64 {
        self.work.saturating_sub(self.done).max(0)
    }
}

impl fmt::Display for DemandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnDemand(id) => id.fmt(f),
            Self::Bid(id) => id.fmt(f),
            Self::Job(id) => id.fmt(f),
        }
    }
}

/// A text that names no rental, bid or job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the identifier of a rental, a bid or a job")]
pub struct DemandIdError;

impl FromStr for DemandId {
    type Err = DemandIdError;

    fn from_str(text: &str) -> Result<Self, DemandIdError> {
        let on_demand = text.parse().map(Self::OnDemand);
        let bid = || text.parse().map(Self::Bid);
        let job = || text.parse().map(Self::Job);
        on_demand.or_else(|_| bid()).or_else(|_| job()).map_err(|_| DemandIdError)
    }
}

impl Serialize for DemandId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DemandId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
