//! Random worlds. One seed names one world and one life of it, so that a failure is a number.

use super::{World, at, cents, class, life, rules, uuid};
use scheduler::world::{
    At, Bid, BidId, ClassSpeed, DemandId, DeviceState, Job, JobFairness, JobId, Micros, Millis, NodeId, NodeState,
    OnDemand, RentalId, Rules, SharePolicy, Want,
};

/// Choices from a seed.
#[derive(Debug, Clone)]
pub struct Dice(scheduler::Dice);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(scheduler::Dice::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let span = u64::try_from(high - low + 1).expect("a range");
        low + i64::try_from(self.next() % span).expect("small")
    }

    pub fn chance(&mut self, percent: i64) -> bool {
        self.range(1, 100) <= percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.range(0, i64::try_from(from.len()).expect("few") - 1)).expect("small")].clone()
    }
}

const CLASSES: [&str; 3] = ["a100-80gb", "h100-80gb", "l4-24gb"];

/// How large and how odd a world is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub nodes: i64,
    pub demands: i64,
    /// Percent of nodes, asks and devices that are out of the ordinary.
    pub odd: i64,
}

pub fn random_rules(dice: &mut Dice) -> Rules {
    Rules {
        share_policy: dice.pick(SharePolicy::ALL),
        notice: Millis::new(dice.pick(&[0, 30_000, 90_000])),
        min_run: Millis::new(dice.pick(&[0, 0, 120_000])),
        phi_ppm: dice.pick(&[0, 300_000, 500_000, 1_000_000]),
        move_gain_ppm: dice.pick(&[0, 250_000]),
        ..rules()
    }
}

pub fn random_world(dice: &mut Dice, size: Size) -> World {
    let mut world = World::new();
    for number in 1..=u64::try_from(size.nodes).expect("positive") {
        let first = dice.range(0, 2);
        let second = dice.range(0, 2);
        let name = |index: i64| CLASSES[usize::try_from(index).expect("small")];
        let mut parts = vec![(name(first), u64::try_from(dice.range(1, 8)).expect("positive"), dice.range(5, 20) * 10)];
        if second != first && dice.chance(30) {
            parts.push((name(second), u64::try_from(dice.range(1, 4)).expect("positive"), dice.range(5, 20) * 10));
        }
        world = world.mixed_node(number, &parts);
        let node = world.snapshot.nodes.last_mut().expect("just made");
        if dice.chance(size.odd) {
            node.state = dice.pick(&[NodeState::Draining, NodeState::Unavailable]);
        }
        for device in &mut node.devices {
            if dice.chance(size.odd) {
                device.state = dice.pick(&[DeviceState::Draining, DeviceState::Faulty, DeviceState::Repartitioning]);
            }
        }
        for ask in &mut node.asks {
            if dice.chance(size.odd) {
                ask.min_chunk = 2;
            }
            if dice.chance(size.odd) {
                ask.ends_at = Some(at(dice.range(0, 600_000)));
            }
        }
        if dice.chance(size.odd) {
            node.asks.pop();
        }
    }
    if dice.chance(30) {
        for supply in &mut world.snapshot.classes {
            supply.entitlement_price = Some(cents(dice.range(5, 15) * 10));
        }
    }
    for number in 1..=u64::try_from(size.demands).expect("positive") {
        world = random_demand(world, dice, number);
    }
    if dice.chance(30) {
        let owner = u64::try_from(dice.range(1, 5)).expect("positive");
        world = world.quota(owner, i32::try_from(dice.range(0, 6)).expect("small"));
    }
    world
}

pub fn random_demand(world: World, dice: &mut Dice, number: u64) -> World {
    let owner = u64::try_from(dice.range(1, 5)).expect("positive");
    let arrived = world.snapshot.at.millis() - dice.range(0, 3) * 1000;
    let gang: i32 = dice.pick(&[1, 1, 1, 2, 2, 3, 4, 8]);
    let count = dice.range(1, 3);
    let mut classes: Vec<&str> = (0..count).map(|_| dice.pick(&CLASSES)).collect();
    classes.sort_unstable();
    classes.dedup();
    let want = match dice.range(0, 9) {
        0 => {
            let nodes = world.snapshot.nodes.len();
            let node = u64::try_from(dice.range(1, i64::try_from(nodes).expect("few"))).expect("positive");
            Want::OnDemand(OnDemand {
                rental: RentalId::from_uuid(uuid(number)),
                ask: scheduler::world::AskId::from_uuid(uuid(node * 10)),
                node: NodeId::from_uuid(uuid(node)),
                class: world.snapshot.nodes[usize::try_from(node - 1).expect("small")].devices[0].class.clone(),
                gang: gang.min(4),
                price: cents(500),
            })
        }
        1..=3 => Want::Job(Job {
            job: JobId::from_uuid(uuid(number)),
            gang: gang.min(4),
            weight_milli: dice.pick(&[500, 1000, 1000, 3000]),
            speeds: classes
                .iter()
                .map(|name| ClassSpeed {
                    class: class(name),
                    milliunits_per_second: dice.range(0, 6) * 500 * i64::from(gang),
                })
                .collect(),
            work: dice.range(1, 2_000) * 60_000,
            done: 0,
            reference: 0,
            budget_left: Micros::new(dice.pick(&[1_000, 1_000_000, 50_000_000, 1_000_000_000_000])),
            advanced_at: world.snapshot.at,
            fairness: JobFairness::default(),
        }),
        _ => Want::Bid(Bid {
            bid: BidId::from_uuid(uuid(number)),
            classes: classes.iter().map(|name| class(name)).collect(),
            gang,
            limit: cents(dice.range(4, 40) * 10),
            funds: Micros::new(if dice.chance(5) { 1 } else { 1_000_000_000_000 }),
            ends_at: None,
        }),
    };
    world.demand(owner, arrived, want)
}

/// A minute, more or less, in which demands come and go, floors change and nodes drain.
pub fn pass_time(mut world: World, dice: &mut Dice, size: Size) -> World {
    let now = At::from_millis(world.snapshot.at.millis() + dice.pick(&[1_000, 30_000, 60_000, 60_000, 60_003]));
    life::later(&mut world, now);
    let ids: Vec<DemandId> = world.snapshot.demands.iter().map(scheduler::world::Demand::id).collect();
    for id in ids {
        if dice.chance(6) {
            life::close(&mut world, id);
        }
    }
    let rented: Vec<DemandId> = world.snapshot.holdings.iter().map(|holding| holding.demand).collect();
    for id in rented {
        if matches!(id, DemandId::OnDemand(_)) && dice.chance(20) {
            life::close(&mut world, id);
        }
    }
    while dice.chance(50) {
        let number = world.fresh();
        world = random_demand(world, dice, number);
    }
    for node in &mut world.snapshot.nodes {
        for ask in &mut node.asks {
            if dice.chance(5) {
                ask.floor = cents(dice.range(5, 20) * 10);
            }
        }
        if dice.chance(size.odd / 2) {
            node.state = dice.pick(&[NodeState::Ready, NodeState::Draining]);
        }
    }
    world
}

/// The same world, every list in another order.
pub fn shuffled(world: &World, dice: &mut Dice) -> World {
    fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
        for last in (1..items.len()).rev() {
            let other = usize::try_from(dice.range(0, i64::try_from(last).expect("few"))).expect("small");
            items.swap(last, other);
        }
    }
    let mut world = world.clone();
    shuffle(&mut world.snapshot.classes, dice);
    shuffle(&mut world.snapshot.nodes, dice);
    for node in &mut world.snapshot.nodes {
        shuffle(&mut node.devices, dice);
        shuffle(&mut node.asks, dice);
    }
    shuffle(&mut world.snapshot.demands, dice);
    for demand in &mut world.snapshot.demands {
        match &mut demand.want {
            Want::Bid(bid) => shuffle(&mut bid.classes, dice),
            Want::Job(job) => shuffle(&mut job.speeds, dice),
            Want::OnDemand(_) => {}
        }
    }
    shuffle(&mut world.snapshot.holdings, dice);
    for holding in &mut world.snapshot.holdings {
        shuffle(&mut holding.devices, dice);
    }
    shuffle(&mut world.snapshot.departed, dice);
    world
}
