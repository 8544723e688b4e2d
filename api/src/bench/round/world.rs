//! A pool of any size with the mixture that a market has: rentals at the posted price, bids and fair-share jobs, running
//! and waiting, and a minute of what happens to them. One seed names one life.

use scheduler::Dice;
use scheduler::world::{
    Ask, AskId, At, Bid, BidId, ClassId, ClassSpeed, ClassSupply, Demand, DemandId, Departed, Device, DeviceId,
    DeviceState, Job, JobFairness, JobId, Micros, Millis, Node, NodeId, NodeState, OnDemand, OrganisationId, PoolId,
    PricePerHour, PriceRule, ProviderId, RentalId, Rules, SharePolicy, Snapshot, Want,
};
use uuid::Uuid;

/// Time between rounds.
const ROUND: Millis = Millis::new(60_000);
/// Classes with the floor in cents per hour and the speed of one device, in milliunits per second.
const CLASSES: [(&str, i64, i64); 4] =
    [("h100-80gb", 200, 3000), ("a100-80gb", 110, 1600), ("a100-40gb", 90, 1400), ("l4-24gb", 35, 400)];
/// Devices of the nodes in turn: 10,000 on 1,500 nodes.
const NODE_SIZES: [u64; 3] = [8, 8, 4];
/// Of a hundred demands so many end in a round, and as many come.
const CHURN: u64 = 5;
/// A cent, in micros.
const CENT: i64 = 10_000;

/// A pool and its luck.
pub(super) struct World {
    pub(super) snapshot: Snapshot,
    pub(super) rules: Rules,
    classes: Vec<ClassId>,
    dice: Choices,
    named: u64,
}

impl World {
    /// So many nodes and demands, before the first round.
    pub(super) fn new(nodes: u64, demands: u64, seed: u64) -> anyhow::Result<Self> {
        let classes: Result<Vec<ClassId>, _> = CLASSES.iter().map(|(name, ..)| name.parse()).collect();
        let snapshot = Snapshot::empty(PoolId::from_uuid(Uuid::from_u128(1)), 1, At::from_millis(0));
        let mut world = Self { snapshot, rules: rules()?, classes: classes?, dice: Choices(Dice::new(seed)), named: 0 };
        world.snapshot.classes = world
            .classes
            .iter()
            .map(|id| ClassSupply { id: id.clone(), entitlement_price: None, previous_price: None })
            .collect();
        for number in 0..nodes {
            world.add_node(number)?;
        }
        for _ in 0..demands {
            world.add_demand()?;
        }
        Ok(world)
    }

    /// Devices of the pool.
    pub(super) fn devices(&self) -> usize {
        self.snapshot.nodes.iter().map(|node| node.devices.len()).sum()
    }

    /// A minute: some demands end, as many come, some floors change.
    pub(super) fn pass_a_minute(&mut self) -> anyhow::Result<()> {
        self.snapshot.at = self.snapshot.at.saturating_add(ROUND);
        self.snapshot.number += 1;
        let before = self.snapshot.demands.len();
        let mut kept = Vec::with_capacity(before);
        for demand in std::mem::take(&mut self.snapshot.demands) {
            if self.dice.below(100) < CHURN { self.close(&demand) } else { kept.push(demand) }
        }
        self.snapshot.demands = kept;
        self.end_rentals();
        while self.snapshot.demands.len() < before {
            self.add_demand()?;
        }
        for node in 0..self.snapshot.nodes.len() {
            if self.dice.below(100) < CHURN {
                let floor = self.floor(node)?;
                self.snapshot.nodes[node].asks[0].floor = floor;
            }
        }
        Ok(())
    }

    /// A demand ends with what it holds; a job that is ahead of its share is remembered.
    fn close(&mut self, demand: &Demand) {
        let id = demand.id();
        self.snapshot.holdings.retain(|holding| holding.demand != id);
        if let Want::Job(job) = &demand.want {
            let gone = Departed { job: job.job, advanced_at: job.advanced_at, fairness: job.fairness.clone() };
            self.snapshot.departed.extend((job.fairness.weight_milli > 0).then_some(gone));
        }
    }

    /// Rentals at the posted price end as often as other demands.
    fn end_rentals(&mut self) {
        let dice = &mut self.dice;
        self.snapshot
            .holdings
            .retain(|holding| !matches!(holding.demand, DemandId::OnDemand(_)) || dice.below(100) >= CHURN);
    }

    fn floor(&mut self, node: usize) -> anyhow::Result<PricePerHour> {
        let (_, cents, _) = CLASSES[node % CLASSES.len()];
        price(cents * self.dice.between(80, 140) / 100)
    }

    fn add_node(&mut self, number: u64) -> anyhow::Result<()> {
        let at = usize::try_from(number)?;
        let class = self.classes[at % CLASSES.len()].clone();
        let floor = self.floor(at)?;
        let id = u128::from(number) + 1;
        let devices = (0..NODE_SIZES[at % NODE_SIZES.len()]).zip(0_i32..).map(|(device, slot)| Device {
            id: DeviceId::from_uuid(Uuid::from_u128(id * 100 + u128::from(device))),
            class: class.clone(),
            slot,
            state: DeviceState::Free,
        });
        let ask = Ask {
            id: AskId::from_uuid(Uuid::from_u128(id)),
            class: class.clone(),
            floor,
            price: price(CLASSES[at % CLASSES.len()].1 * 2)?,
            min_chunk: 1,
            ends_at: None,
        };
        self.snapshot.nodes.push(Node {
            id: NodeId::from_uuid(Uuid::from_u128(id)),
            provider: ProviderId::from_uuid(Uuid::from_u128(id)),
            state: NodeState::Ready,
            devices: devices.collect(),
            asks: vec![ask],
        });
        Ok(())
    }

    /// One in ten at the posted price, three jobs, six bids; gangs of one to eight.
    fn add_demand(&mut self) -> anyhow::Result<()> {
        self.named += 1;
        let id = Uuid::from_u128(u128::from(self.named) << 64);
        let gang = [1, 1, 1, 2, 2, 4, 8][self.dice.index(7)];
        let want = match self.dice.below(10) {
            0 => self.on_demand(id, gang.min(4))?,
            1..=3 => self.job(id, gang),
            _ => self.bid(id, gang)?,
        };
        let owner = OrganisationId::from_uuid(Uuid::from_u128(u128::from(self.dice.below(200))));
        self.snapshot.demands.push(Demand { owner, arrived_at: self.snapshot.at, want });
        Ok(())
    }

    fn on_demand(&mut self, id: Uuid, gang: i32) -> anyhow::Result<Want> {
        let at = self.dice.index(self.snapshot.nodes.len());
        let node = &self.snapshot.nodes[at];
        Ok(Want::OnDemand(OnDemand {
            rental: RentalId::from_uuid(id),
            ask: node.asks[0].id,
            node: node.id,
            class: node.asks[0].class.clone(),
            gang,
            price: node.asks[0].price,
        }))
    }

    fn job(&mut self, id: Uuid, gang: i32) -> Want {
        let first = self.dice.index(CLASSES.len());
        let fit = if self.dice.below(4) == 0 { first..first + 1 } else { 0..CLASSES.len() };
        let speeds = fit.map(|class| ClassSpeed {
            class: self.classes[class].clone(),
            milliunits_per_second: CLASSES[class].2 * i64::from(gang) * self.dice.between(70, 130) / 100,
        });
        Want::Job(Job {
            job: JobId::from_uuid(id),
            gang,
            weight_milli: [500, 1000, 1000, 2000][usize::try_from(id.as_u128() >> 64).unwrap_or(0) % 4],
            speeds: speeds.collect(),
            work: 4_000_000 * i64::from(gang) * 20,
            done: 0,
            reference: 0,
            budget_left: Micros::new(500_000_000),
            advanced_at: self.snapshot.at,
            fairness: JobFairness::default(),
        })
    }

    fn bid(&mut self, id: Uuid, gang: i32) -> anyhow::Result<Want> {
        let first = self.dice.index(CLASSES.len());
        let last = if self.dice.below(3) == 0 { (first + 2).min(CLASSES.len()) } else { first + 1 };
        let cents = CLASSES[first].1 * self.dice.between(70, 260) / 100;
        Ok(Want::Bid(Bid {
            bid: BidId::from_uuid(id),
            classes: self.classes[first..last].to_vec(),
            gang,
            limit: price(cents)?,
            funds: Micros::new(1_000_000_000_000),
            ends_at: None,
        }))
    }
}

fn rules() -> anyhow::Result<Rules> {
    Ok(Rules {
        version: Rules::VERSION,
        share_policy: SharePolicy::FinishTimeFair,
        tilt: scheduler::world::Tilt::default(),
        price_rule: PriceRule::UniformPrice,
        round: ROUND,
        notice: Millis::new(30_000),
        min_run: Millis::new(120_000),
        restart: Millis::new(30_000),
        phi_ppm: 400_000,
        admission_cap_milli: None,
        fee_bps: 300,
        limit_cap: price(100_000)?,
        move_gain_ppm: 250_000,
    })
}

fn price(cents: i64) -> anyhow::Result<PricePerHour> {
    Ok(PricePerHour::from_micros(cents.max(1) * CENT)?)
}

/// Whole numbers from the dice.
struct Choices(Dice);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.bits() % bound.max(1)
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(u64::try_from(length).unwrap_or(1))).unwrap_or(0)
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(u64::try_from(high - low + 1).unwrap_or(1))).unwrap_or(0)
    }
}
