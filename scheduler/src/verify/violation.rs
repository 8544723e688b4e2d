//! The promises that a plan can break.

use crate::placement::Misfit;
use crate::world::{ClassId, DemandId, DeviceId, NodeId, OrganisationId, RentalId};
use serde::{Serialize, Serializer};

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "invariant", rename_all = "snake_case")]
pub enum Violation {
    /// A device was given to two gangs.
    #[error("device {device} is granted twice")]
    DeviceGrantedTwice {
        /// The device.
        device: DeviceId,
    },
    /// A gang was put where it may not stand: broken, elsewhere, taken, not for sale, above its limit.
    #[error("{demand} may not stand where it is: {misfit}")]
    DoesNotFit {
        /// Whose grant.
        demand: DemandId,
        /// Why not.
        #[serde(serialize_with = "as_text")]
        misfit: Misfit,
    },
    /// A grant for nobody, or on a class or node that was not asked for.
    #[error("{demand} was granted what it did not ask for")]
    NotAskedFor {
        /// Whose grant.
        demand: DemandId,
    },
    /// Two seats for one demand: two grants, or a grant beside a gang that goes on.
    #[error("{demand} has two seats")]
    TwoSeats {
        /// Whose.
        demand: DemandId,
    },
    /// A gang is said to go on that does not run there.
    #[error("{demand} is said to go on where it does not run")]
    NotThere {
        /// Whose.
        demand: DemandId,
    },
    /// More gangs wait for devices of a node than there will be.
    #[error("{promised} devices of {class} on {node} are promised and {there} will be there")]
    PromisedTooMuch {
        /// The node.
        node: NodeId,
        /// The class.
        class: ClassId,
        /// Devices promised or granted.
        promised: usize,
        /// Devices that are free or leave.
        there: usize,
    },
    /// A market grant at another price than its class's.
    #[error("{demand} pays another price than its class")]
    NotUniform {
        /// Whose grant.
        demand: DemandId,
    },
    /// A price above what the demand agreed to, or beyond what is set aside for it.
    #[error("{demand} pays more than it agreed to")]
    AboveLimit {
        /// Whose grant.
        demand: DemandId,
    },
    /// A price below what the provider asks.
    #[error("the provider of {demand} gets less than it asks")]
    BelowAsk {
        /// Whose grant.
        demand: DemandId,
    },
    /// An entitled or posted grant at another than its own price.
    #[error("{demand} does not pay the price of its right")]
    WrongPrice {
        /// Whose grant.
        demand: DemandId,
    },
    /// A class price that neither a sold ask nor a losing limit explains.
    #[error("nothing explains the price of {class}")]
    PriceUnfounded {
        /// The class.
        class: ClassId,
    },
    /// A round's charge that cannot be split into earnings and fee.
    #[error("the charge of {demand} does not balance")]
    Unbalanced {
        /// Whose grant.
        demand: DemandId,
    },
    /// A gang was told to leave that must not be: posted price, minimum run, already leaving, or unknown.
    #[error("{rental} must not be told to leave")]
    MayNotLeave {
        /// The rental.
        rental: RentalId,
    },
    /// A gang was told to leave with another notice than the pool's.
    #[error("{rental} was not given its notice")]
    WrongNotice {
        /// The rental.
        rental: RentalId,
    },
    /// A gang whose notice ran out was not released, or one was released before.
    #[error("{rental} is released at the wrong time")]
    WrongRelease {
        /// The rental.
        rental: RentalId,
    },
    /// A stronger claim was passed over for a weaker one whose place it could have had.
    #[error("{demand} could have had the place of {winner}, which has a weaker claim")]
    PassedOver {
        /// Who was passed over.
        demand: DemandId,
        /// For whom.
        winner: DemandId,
    },
    /// Entitled gangs hold more of a class than the jobs own.
    #[error("entitled gangs hold more of {class} than jobs own")]
    BeyondShare {
        /// The class.
        class: ClassId,
    },
    /// The shares of the jobs add up to more than they own.
    #[error("the shares of the jobs add up to more than they own")]
    SharesTooLarge,
    /// An organisation was given devices beyond its quota.
    #[error("{organisation} holds more than its quota")]
    OverQuota {
        /// The organisation.
        organisation: OrganisationId,
    },
    /// What the exchange's programme is said to have found is not borne out by asks, limits and budgets.
    #[error("the exchange is told wrongly: {what}")]
    ExchangeUnfounded {
        /// What is wrong.
        what: &'static str,
    },
    /// Devices stay idle that somebody could use.
    #[error("{demand} could use idle devices on {node}")]
    LeftIdle {
        /// Who could.
        demand: DemandId,
        /// Where.
        node: NodeId,
    },
    /// A demand has no explanation, or several.
    #[error("{demand} has {count} explanations")]
    NotExplainedOnce {
        /// Whose.
        demand: DemandId,
        /// How many.
        count: usize,
    },
    /// An explanation that the plan contradicts.
    #[error("the explanation of {demand} does not agree with the plan")]
    WrongStory {
        /// Whose.
        demand: DemandId,
    },
}

fn as_text<S: Serializer>(misfit: &Misfit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(misfit)
}
