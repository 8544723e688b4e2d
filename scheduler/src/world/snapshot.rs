//! The whole world of one round, as it was at one instant.

use super::class::{ClassId, ClassSupply};
use super::demand::{Demand, DemandId, Job, JobFairness, Want};
use super::ids::{DeviceId, JobId, NodeId, OrganisationId, PoolId, RentalId};
use super::money::PricePerHour;
use super::node::Node;
use super::time::At;
use crate::plan::Awaiting;
use serde::{Deserialize, Serialize};

/// Everything a round may look at. Read in one transaction, never changed afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The pool that is cleared.
    pub pool: PoolId,
    /// Number of the round, counted from 1.
    pub number: i64,
    /// When the snapshot was taken.
    pub at: At,
    /// The classes traded in the pool.
    pub classes: Vec<ClassSupply>,
    /// The nodes of the pool, with devices and asks.
    pub nodes: Vec<Node>,
    /// Open demands, running or not: waiting on-demand claims, live bids, live jobs.
    pub demands: Vec<Demand>,
    /// Who has which devices. A holding whose demand is not listed keeps its devices and is left alone.
    pub holdings: Vec<Holding>,
    /// Jobs that closed while they were ahead of their share. Their weight counts until the share has caught up;
    /// the plan says when it has.
    #[serde(default)]
    pub departed: Vec<Departed>,
    /// What the round before promised to gangs that wait for a notice: its `awaiting`. Without it such a gang is placed
    /// anew each round, and may end up waiting for somebody else.
    #[serde(default)]
    pub promised: Vec<Awaiting>,
    /// Limits on how many devices an organisation may hold in the pool.
    #[serde(default)]
    pub quotas: Vec<Quota>,
}

/// Devices in somebody's hands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// For which demand: `OnDemand(rental)` for a rental at the posted price.
    pub demand: DemandId,
    /// The rental that holds them.
    pub rental: RentalId,
    /// Who pays.
    pub owner: OrganisationId,
    /// The node they are on.
    pub node: NodeId,
    /// Their class.
    pub class: ClassId,
    /// The devices, all of one gang.
    pub devices: Vec<DeviceId>,
    /// When they were granted.
    pub since: At,
    /// When the gang became usable; before that it makes no progress.
    pub usable_at: Option<At>,
    /// What each device costs per hour at present.
    pub price: PricePerHour,
    /// Set when notice was given: the devices are free from then on.
    pub notice_until: Option<At>,
    /// The end of the minimum run: no notice before.
    pub protected_until: At,
}

/// A closed job whose share has not yet caught up with what it received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departed {
    /// Which job.
    pub job: JobId,
    /// Up to when `fairness` is told.
    pub advanced_at: At,
    /// As its last round left it.
    pub fairness: JobFairness,
}

/// The most devices an organisation may hold in the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quota {
    /// Which organisation.
    pub organisation: OrganisationId,
    /// How many devices, over all classes.
    pub devices: i32,
}

impl Snapshot {
    /// A pool with nothing in it.
    #[must_use]
    pub const fn empty(pool: PoolId, number: i64, at: At) -> Self {
        Self {
            pool,
            number,
            at,
            classes: Vec::new(),
            nodes: Vec::new(),
            demands: Vec::new(),
            holdings: Vec::new(),
            departed: Vec::new(),
            promised: Vec::new(),
            quotas: Vec::new(),
        }
    }

    /// The live fair-share jobs, in order of demand.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.demands.iter().filter_map(|demand| match &demand.want {
            Want::Job(job) => Some(job),
            Want::OnDemand(_) | Want::Bid(_) => None,
        })
    }

    /// The same world with every list in its one order, so that equal worlds have equal texts.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        self.classes.sort_by(|a, b| a.id.cmp(&b.id));
        self.nodes.sort_by_key(|node| node.id);
        for node in &mut self.nodes {
            node.devices.sort_by_key(|device| (device.slot, device.id));
            node.asks.sort_by(|a, b| (&a.class, a.id).cmp(&(&b.class, b.id)));
        }
        self.demands.sort_by_key(Demand::id);
        for demand in &mut self.demands {
            match &mut demand.want {
                Want::Bid(bid) => bid.classes.sort(),
                Want::Job(job) => job.speeds.sort_by(|a, b| a.class.cmp(&b.class)),
                Want::OnDemand(_) => {}
            }
        }
        self.holdings.sort_by_key(|holding| holding.rental);
        for holding in &mut self.holdings {
            holding.devices.sort();
        }
        self.departed.sort_by_key(|departed| departed.job);
        self.promised.sort_by_key(|promise| promise.demand);
        self.quotas.sort_by_key(|quota| quota.organisation);
        self
    }
}
