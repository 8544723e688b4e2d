//! Worlds to plan in: a builder for the ones that tests spell out, and a source of random ones that live on from round to
//! round.

#![allow(dead_code, reason = "each suite uses a part")]

pub mod life;
pub mod random;

use scheduler::plan::Plan;
use scheduler::world::{
    Ask, AskId, At, Bid, BidId, ClassId, ClassSpeed, ClassSupply, Demand, DemandId, Device, DeviceId, DeviceState,
    Holding, Job, JobFairness, JobId, Micros, Millis, Node, NodeId, NodeState, OnDemand, OrganisationId, PoolId,
    PricePerHour, PriceRule, ProviderId, Quota, RentalId, Rules, SharePolicy, Snapshot, Tilt, Want,
};
use uuid::Uuid;

pub const MINUTE: i64 = 60_000;

pub fn uuid(number: u64) -> Uuid {
    Uuid::from_u128(u128::from(number))
}

pub fn class(name: &str) -> ClassId {
    name.parse().expect("a class")
}

/// A price in cents per device and hour.
pub fn cents(cents: i64) -> PricePerHour {
    PricePerHour::from_micros(cents * 10_000).expect("positive")
}

pub fn rules() -> Rules {
    Rules {
        version: Rules::VERSION,
        share_policy: SharePolicy::FinishTimeFair,
        tilt: Tilt::Fair,
        price_rule: PriceRule::UniformPrice,
        round: Millis::new(MINUTE),
        notice: Millis::new(30_000),
        min_run: Millis::ZERO,
        restart: Millis::new(5_000),
        phi_ppm: 500_000,
        admission_cap_milli: None,
        fee_bps: 300,
        limit_cap: cents(100_000),
        move_gain_ppm: 250_000,
    }
}

/// A snapshot under construction. Numbers name things: node 1, bid 7.
#[derive(Debug, Clone)]
pub struct World {
    pub snapshot: Snapshot,
    next: u64,
}

impl World {
    pub fn new() -> Self {
        let snapshot = Snapshot::empty(PoolId::from_uuid(uuid(1)), 1, At::from_millis(0));
        Self { snapshot, next: 1_000_000 }
    }

    pub fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A node with devices of one class at a floor in cents.
    pub fn node(self, number: u64, name: &str, devices: u64, floor: i64) -> Self {
        self.mixed_node(number, &[(name, devices, floor)])
    }

    pub fn mixed_node(mut self, number: u64, parts: &[(&str, u64, i64)]) -> Self {
        let mut node = Node {
            id: NodeId::from_uuid(uuid(number)),
            provider: ProviderId::from_uuid(uuid(number)),
            state: NodeState::Ready,
            devices: Vec::new(),
            asks: Vec::new(),
        };
        for (part, (name, devices, floor)) in parts.iter().enumerate() {
            let id = class(name);
            if self.snapshot.classes.iter().all(|known| known.id != id) {
                self.snapshot.classes.push(ClassSupply {
                    id: id.clone(),
                    entitlement_price: None,
                    previous_price: None,
                });
            }
            for _ in 0..*devices {
                let slot = i32::try_from(node.devices.len()).expect("few");
                let device = DeviceId::from_uuid(uuid(number * 1000 + node.devices.len() as u64));
                node.devices.push(Device { id: device, class: id.clone(), slot, state: DeviceState::Free });
            }
            node.asks.push(Ask {
                id: AskId::from_uuid(uuid(number * 10 + part as u64)),
                class: id,
                floor: cents(*floor),
                price: cents(*floor * 2),
                min_chunk: 1,
                ends_at: None,
            });
        }
        self.snapshot.nodes.push(node);
        self
    }

    pub fn demand(mut self, owner: u64, arrived_at: i64, want: Want) -> Self {
        let owner = OrganisationId::from_uuid(uuid(owner));
        self.snapshot.demands.push(Demand { owner, arrived_at: At::from_millis(arrived_at), want });
        self
    }

    /// A well-funded bid, its owner and its arrival named by its number.
    pub fn bid(self, number: u64, classes: &[&str], gang: i32, limit: i64) -> Self {
        let bid = Bid {
            bid: BidId::from_uuid(uuid(number)),
            classes: classes.iter().map(|name| class(name)).collect(),
            gang,
            limit: cents(limit),
            funds: Micros::new(1_000_000_000_000),
            ends_at: None,
        };
        self.demand(number, i64::try_from(number).expect("small"), Want::Bid(bid))
    }

    /// A job with a large budget: 100 hours of work at one unit per device and second, and speeds per class.
    pub fn job(self, number: u64, gang: i32, speeds: &[(&str, i64)]) -> Self {
        let job = Job {
            job: JobId::from_uuid(uuid(number)),
            gang,
            weight_milli: 1000,
            speeds: speeds
                .iter()
                .map(|(name, speed)| ClassSpeed { class: class(name), milliunits_per_second: *speed })
                .collect(),
            work: 360_000_000 * i64::from(gang),
            done: 0,
            reference: 0,
            budget_left: Micros::new(1_000_000_000_000),
            advanced_at: self.snapshot.at,
            fairness: JobFairness::default(),
        };
        self.demand(number, i64::try_from(number).expect("small"), Want::Job(job))
    }

    pub fn on_demand(self, number: u64, node: u64, name: &str, gang: i32) -> Self {
        let claim = OnDemand {
            rental: RentalId::from_uuid(uuid(number)),
            ask: AskId::from_uuid(uuid(node * 10)),
            node: NodeId::from_uuid(uuid(node)),
            class: class(name),
            gang,
            price: cents(500),
        };
        self.demand(number, i64::try_from(number).expect("small"), Want::OnDemand(claim))
    }

    pub fn quota(mut self, owner: u64, devices: i32) -> Self {
        self.snapshot.quotas.push(Quota { organisation: OrganisationId::from_uuid(uuid(owner)), devices });
        self
    }

    pub fn change(mut self, change: impl FnOnce(&mut Snapshot)) -> Self {
        change(&mut self.snapshot);
        self
    }
}

pub fn bid(number: u64) -> DemandId {
    DemandId::Bid(BidId::from_uuid(uuid(number)))
}

pub fn job(number: u64) -> DemandId {
    DemandId::Job(JobId::from_uuid(uuid(number)))
}

pub fn rental(number: u64) -> DemandId {
    DemandId::OnDemand(RentalId::from_uuid(uuid(number)))
}

pub fn at(millis: i64) -> At {
    At::from_millis(millis)
}

/// The code a demand was explained with.
pub fn code(plan: &Plan, demand: DemandId) -> scheduler::Code {
    explanation(plan, demand).code
}

pub fn explanation(plan: &Plan, demand: DemandId) -> &scheduler::Explanation {
    plan.explanations.iter().find(|told| told.demand == demand).expect("everybody is told")
}

/// The price of a class in micros.
pub fn price(plan: &Plan, name: &str) -> Option<i64> {
    let row = plan.prices.iter().find(|row| row.class == class(name)).expect("a class of the pool");
    row.price.map(PricePerHour::micros)
}

pub fn holding_of(snapshot: &Snapshot, demand: DemandId) -> Option<&Holding> {
    snapshot.holdings.iter().find(|holding| holding.demand == demand)
}
