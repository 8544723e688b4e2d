//! What of a plan was written. A plan is applied in part when the world moved on between the snapshot and the commit.

use scheduler::world::ids::{DeviceId, RentalId};
use scheduler::world::{At, DemandId, PricePerHour};
use serde::{Deserialize, Serialize};

/// The outcome of one guarded transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applied {
    /// The instant of the transaction: rentals, leases and charges begin or end here.
    pub at: At,
    /// New gangs, in the order of the plan.
    pub granted: Vec<Granted>,
    /// Running gangs whose price changed.
    pub repriced: Vec<Repriced>,
    /// Rentals that were given notice.
    pub noticed: Vec<RentalId>,
    /// Rentals that ended because their notice had run out.
    pub released: Vec<RentalId>,
    /// What the plan wanted and the rows no longer allowed.
    pub dropped: Vec<Dropped>,
}

/// A new gang.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Granted {
    /// For which demand.
    pub demand: DemandId,
    /// The rental that serves it.
    pub rental: RentalId,
    /// Its devices, as in the plan.
    pub devices: Vec<DeviceId>,
}

/// A running gang whose price changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repriced {
    /// For which demand it runs.
    pub demand: DemandId,
    /// Which rental.
    pub rental: RentalId,
    /// Per device and hour from now on.
    pub price: PricePerHour,
}

/// A part of the plan that was not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// Whose.
    pub demand: DemandId,
    /// Why.
    pub because: DropCause,
}

/// Why a part of a plan was not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropCause {
    /// The bid, job or claim was closed, or got its devices elsewhere.
    DemandChanged,
    /// The rental ended, stopped or was given notice.
    RentalChanged,
    /// A device or its node left the market, or somebody else has it.
    DeviceGone,
    /// The ask was withdrawn, ended, or asks for more now.
    AskChanged,
    /// What is set aside no longer covers the price.
    FundsGone,
}

impl Applied {
    /// Nothing written yet, at the instant of the transaction.
    #[must_use]
    pub const fn at(at: At) -> Self {
        Self {
            at,
            granted: Vec::new(),
            repriced: Vec::new(),
            noticed: Vec::new(),
            released: Vec::new(),
            dropped: Vec::new(),
        }
    }
}
