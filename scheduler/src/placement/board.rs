//! The pool while a round fills it: devices by node and class, free now or due after a notice, and who runs on them.
//!
//! A *bucket* is the devices of one class on one node: since a gang stands on one node and its devices are of one class,
//! it stands in one bucket, and inside a bucket one device is as good as another.

use super::fit::{Need, admits};
use super::newcomers::Newcomers;
use crate::fairness::reference::Capacity;
use crate::world::{Ask, At, ClassId, Demand, DemandId, DeviceId, Holding, Node, NodeState, Rules, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// The devices of one class on one node.
#[derive(Debug, Clone)]
pub struct Bucket<'a> {
    /// The node.
    pub node: &'a Node,
    /// Ordinal of the class.
    pub class: usize,
    /// The ask, if the node takes gangs of the class at all.
    pub ask: Option<&'a Ask>,
    /// Devices that nobody has and nobody is promised; the next to be given is last.
    pub free: Vec<DeviceId>,
    /// When devices under notice are free, for those that are promised to nobody; the next to be promised is last.
    pub due: Vec<At>,
    /// Demands that run here and can be told to leave.
    pub runners: BTreeSet<usize>,
    /// Devices that the market can reach: free, due, or under a gang that can be told to leave, at once or later.
    pub reachable: usize,
    /// Devices that were let at the posted price at this very instant: part of what the round divides, as before they were.
    pub let_now: usize,
}

/// Where a demand stands when its turn comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Nowhere.
    None,
    /// In a bucket, by a holding of the snapshot.
    Runs {
        /// The bucket.
        bucket: usize,
        /// Ordinal of the holding.
        holding: usize,
    },
    /// On devices that this round cannot touch: a rental at the posted price, or a gang on a node that is lost.
    Held {
        /// The bucket.
        bucket: usize,
        /// Ordinal of the holding.
        holding: usize,
    },
    /// Under notice, given now or in an earlier round.
    Leaves {
        /// Ordinal of the holding.
        holding: usize,
        /// When its devices are free.
        until: At,
    },
}

/// The pool while it is filled.
#[derive(Debug, Clone)]
pub struct Board<'a> {
    /// The world, in canonical order.
    pub world: &'a Snapshot,
    /// The pool's settings.
    pub rules: &'a Rules,
    /// The instant of the round.
    pub now: At,
    /// All buckets, by node and class.
    pub buckets: Vec<Bucket<'a>>,
    /// Buckets of each class.
    pub of_class: Vec<Vec<usize>>,
    /// Where each demand stands.
    pub seats: Vec<Seat>,
    /// The bucket in which a demand was promised a place, by an earlier round.
    pub promised: BTreeMap<usize, usize>,
    /// The holdings of gangs that were let in at this very instant and are decided on again, by demand.
    pub newcomers: BTreeMap<usize, usize>,
    /// Holdings whose notice has run out: their devices are free.
    pub released: Vec<usize>,
    /// All classes; the place in this list is a class's ordinal.
    pub classes: Vec<&'a ClassId>,
    /// Where each holding is, and how many of its devices the market may give to somebody else.
    pub(super) places: Vec<Option<(usize, usize)>>,
    /// For each class its buckets by number of free devices, then by floor.
    shelves: Vec<BTreeMap<usize, BTreeSet<(i64, usize)>>>,
}

impl<'a> Board<'a> {
    /// The board at the start of a round. `world` must be in canonical order.
    #[must_use]
    pub fn new(world: &'a Snapshot, rules: &'a Rules, now: At, newcomers: Newcomers) -> Self {
        let asked = world.nodes.iter().flat_map(|node| node.devices.iter().map(|device| &device.class));
        let known: BTreeSet<&ClassId> = world.classes.iter().map(|class| &class.id).chain(asked).collect();
        let classes: Vec<&ClassId> = known.into_iter().collect();
        let mut board = Self {
            world,
            rules,
            now,
            buckets: Vec::new(),
            of_class: vec![Vec::new(); classes.len()],
            seats: vec![Seat::None; world.demands.len()],
            promised: BTreeMap::new(),
            newcomers: BTreeMap::new(),
            released: Vec::new(),
            places: Vec::new(),
            shelves: vec![BTreeMap::new(); classes.len()],
            classes,
        };
        board.lay_out(newcomers);
        board
    }

    /// Ordinal of a class.
    #[must_use]
    pub fn ordinal(&self, class: &ClassId) -> Option<usize> {
        self.classes.binary_search(&class).ok()
    }

    /// Floor of a bucket, in micros; out of reach where nothing is for sale.
    #[must_use]
    pub fn floor(&self, bucket: usize) -> i64 {
        self.buckets[bucket].ask.map_or(i64::MAX, |ask| ask.floor.micros())
    }

    /// The lowest floor of a class, if it is for sale at all.
    #[must_use]
    pub fn least_floor(&self, class: usize) -> Option<i64> {
        self.shelves[class].values().filter_map(|shelf| shelf.first().map(|(floor, _)| *floor)).min()
    }

    /// Bucket of a node and class.
    #[must_use]
    pub fn bucket(&self, node: crate::world::NodeId, class: usize) -> Option<usize> {
        let buckets = self.of_class.get(class)?;
        let place = buckets.binary_search_by_key(&node, |bucket| self.buckets[*bucket].node.id).ok()?;
        Some(buckets[place])
    }

    /// Buckets of a class in which `gang` devices are free, cheapest first and tightest first among equals.
    pub fn with_free(&self, class: usize, gang: usize) -> impl Iterator<Item = usize> + '_ {
        let shelves = self.shelves[class].range(gang..);
        let mut shelves: Vec<_> = shelves.map(|(free, shelf)| (*free, shelf.iter().copied().peekable())).collect();
        std::iter::from_fn(move || {
            let first = |(free, shelf): &mut (usize, _)| next_on(shelf).map(|(floor, bucket)| (floor, *free, bucket));
            let cheapest = shelves.iter_mut().enumerate().filter_map(|(at, shelf)| Some((first(shelf)?, at))).min()?;
            shelves[cheapest.1].1.next().map(|(_, bucket)| bucket)
        })
    }

    /// Takes `count` free devices out of a bucket.
    pub fn take_free(&mut self, bucket: usize, count: usize) -> Vec<DeviceId> {
        self.unshelve(bucket);
        let free = &mut self.buckets[bucket].free;
        let taken = free.split_off(free.len().saturating_sub(count));
        self.shelve(bucket);
        taken
    }

    /// Puts devices back into a bucket.
    pub fn give_back(&mut self, bucket: usize, devices: Vec<DeviceId>) {
        self.unshelve(bucket);
        self.buckets[bucket].free.extend(devices);
        self.shelve(bucket);
    }

    /// Promises `count` devices under notice to somebody; the time when the last of them is free.
    pub fn take_due(&mut self, bucket: usize, count: usize) -> Option<At> {
        let due = &mut self.buckets[bucket].due;
        let taken = due.split_off(due.len().saturating_sub(count));
        taken.into_iter().max()
    }

    /// Tells whoever sits there to leave: its traded devices are due when the notice ends, at once without a notice.
    pub fn vacate(&mut self, demand: usize) {
        let Seat::Runs { bucket, holding } = self.seats[demand] else { return };
        self.buckets[bucket].runners.remove(&demand);
        let until = self.rules.notice_end(self.now);
        self.seats[demand] = Seat::Leaves { holding, until };
        let devices: Vec<DeviceId> = self.traded(bucket, &self.world.holdings[holding]).collect();
        if until <= self.now {
            self.give_back(bucket, devices);
        } else {
            let due = &mut self.buckets[bucket].due;
            due.extend(devices.iter().map(|_| until));
            due.sort_by_key(|at| std::cmp::Reverse(*at));
        }
    }

    /// What a demand holds, if anything.
    #[must_use]
    pub fn holding_of(&self, demand: usize) -> Option<&'a Holding> {
        match self.seats[demand] {
            Seat::Runs { holding, .. } | Seat::Held { holding, .. } | Seat::Leaves { holding, .. } => {
                Some(&self.world.holdings[holding])
            }
            Seat::None => None,
        }
    }

    /// Whether a running gang cannot be told to leave, whatever the reason. Nobody is let in and sent away at one instant.
    #[must_use]
    pub fn is_in_minimum_run(&self, demand: usize) -> bool {
        let Seat::Runs { holding, .. } = self.seats[demand] else { return false };
        let holding = &self.world.holdings[holding];
        holding.protected_until > self.now || holding.since == self.now
    }

    /// How many devices the market gets when a running demand leaves.
    #[must_use]
    pub fn yields(&self, demand: usize) -> usize {
        match self.seats[demand] {
            Seat::Runs { holding, .. } => self.places[holding].map_or(0, |(_, traded)| traded),
            Seat::None | Seat::Held { .. } | Seat::Leaves { .. } => 0,
        }
    }

    /// Devices of each class that the round can give out: traded, on an open ask, and not in the hands of a rental
    /// that cannot be told to leave, but for one that this very instant let in: deciding again divides the same.
    #[must_use]
    pub fn capacity(&self) -> Capacity {
        self.capacity_with(|bucket| self.buckets[bucket].let_now)
    }

    /// The same without what was let at this very instant.
    #[must_use]
    pub fn capacity_left(&self) -> Capacity {
        self.capacity_with(|_| 0)
    }

    /// The same with what rentals at the posted price hold.
    #[must_use]
    pub fn capacity_with_posted(&self) -> Capacity {
        let mut posted = vec![0; self.buckets.len()];
        for (holding, place) in self.world.holdings.iter().zip(&self.places) {
            if let (Some((bucket, traded)), DemandId::OnDemand(_), None) = (place, holding.demand, holding.notice_until)
            {
                posted[*bucket] += traded;
            }
        }
        self.capacity_with(|bucket| posted[bucket])
    }

    fn capacity_with(&self, more: impl Fn(usize) -> usize) -> Capacity {
        let mut capacity = Capacity::counting(self.rules.counts());
        for (index, bucket) in self.buckets.iter().enumerate() {
            if let Some(ask) = bucket.ask {
                let devices = i32::try_from(bucket.reachable + more(index)).unwrap_or(i32::MAX);
                capacity.add(self.classes[bucket.class], devices, ask.min_chunk);
            }
        }
        capacity
    }

    /// Whether a demand's gang runs and may go on where it is.
    #[must_use]
    pub fn may_go_on(&self, demand: usize) -> bool {
        match self.seats[demand] {
            Seat::Runs { bucket, holding } => !self.is_withdrawn(bucket, holding),
            Seat::None | Seat::Held { .. } | Seat::Leaves { .. } => false,
        }
    }

    /// Whether some device under a holding, by its ordinal, is no longer traded, or its bucket has closed.
    #[must_use]
    pub fn is_withdrawn(&self, bucket: usize, holding: usize) -> bool {
        let traded = self.places[holding].map_or(0, |(_, traded)| traded);
        self.buckets[bucket].ask.is_none() || traded < self.world.holdings[holding].devices.len()
    }

    fn lay_out(&mut self, newcomers: Newcomers) {
        for node in &self.world.nodes {
            let mut here: Vec<&ClassId> = node.devices.iter().map(|device| &device.class).collect();
            here.sort_unstable();
            here.dedup();
            for class in here {
                let Some(ordinal) = self.ordinal(class) else { continue };
                // A gang of any size and any means: what is left of the predicate is whether the node is open.
                let need = Need { class, gang: i32::MAX, ceiling: None, until: self.rules.horizon(self.now) };
                let ask = admits(&need, node).ok();
                self.of_class[ordinal].push(self.buckets.len());
                self.buckets.push(Bucket {
                    node,
                    class: ordinal,
                    ask,
                    free: Vec::new(),
                    due: Vec::new(),
                    runners: BTreeSet::new(),
                    reachable: 0,
                    let_now: 0,
                });
            }
        }
        let held = self.seat_holdings(newcomers);
        for bucket in 0..self.buckets.len() {
            self.fill(bucket, &held);
        }
    }

    /// Finds everybody's seat; returns the devices in somebody's hands, in order.
    fn seat_holdings(&mut self, newcomers: Newcomers) -> Vec<DeviceId> {
        let world = self.world;
        let demand = |id: DemandId| world.demands.binary_search_by_key(&id, Demand::id).ok();
        for promise in &world.promised {
            let bucket = self.ordinal(&promise.class).and_then(|class| self.bucket(promise.node, class));
            self.promised.extend(demand(promise.demand).zip(bucket));
        }
        self.places = world.holdings.iter().map(|holding| self.place(holding)).collect();
        let mut held = Vec::new();
        for (index, holding) in world.holdings.iter().enumerate() {
            if holding.notice_until.is_some_and(|until| until <= self.now) {
                self.released.push(index);
                continue;
            }
            let demand = demand(holding.demand);
            if let Some((demand, bucket)) = demand.zip(self.stood(index, newcomers)) {
                self.newcomers.insert(demand, index);
                self.promised.insert(demand, bucket);
                continue;
            }
            held.extend(holding.devices.iter().copied());
            let Some((bucket, traded)) = self.places[index] else { continue };
            if let Some(until) = holding.notice_until {
                self.buckets[bucket].due.extend(std::iter::repeat_n(until, traded));
                self.buckets[bucket].reachable += traded;
                if let Some(demand) = demand {
                    self.seats[demand] = Seat::Leaves { holding: index, until };
                }
                continue;
            }
            if matches!(holding.demand, DemandId::OnDemand(_)) && holding.since == self.now {
                self.buckets[bucket].let_now += traded;
            }
            let Some(demand) = demand.filter(|demand| self.seats[*demand] == Seat::None) else { continue };
            let lost = self.buckets[bucket].node.state == NodeState::Unavailable;
            if lost || matches!(holding.demand, DemandId::OnDemand(_)) {
                self.seats[demand] = Seat::Held { bucket, holding: index };
                continue;
            }
            self.seats[demand] = Seat::Runs { bucket, holding: index };
            self.buckets[bucket].runners.insert(demand);
            self.buckets[bucket].reachable += traded;
        }
        held.sort_unstable();
        held
    }

    fn place(&self, holding: &Holding) -> Option<(usize, usize)> {
        let bucket = self.bucket(holding.node, self.ordinal(&holding.class)?)?;
        Some((bucket, self.traded(bucket, holding).count()))
    }

    /// Puts a bucket's free devices on the shelf, the lowest slot to be given first.
    fn fill(&mut self, bucket: usize, held: &[DeviceId]) {
        let class = self.classes[self.buckets[bucket].class];
        let here = &mut self.buckets[bucket];
        let free = here.node.devices.iter().rev();
        let free = free.filter(|device| {
            device.class == *class && device.state.is_tradable() && held.binary_search(&device.id).is_err()
        });
        here.free = free.map(|device| device.id).collect();
        here.reachable += here.free.len();
        here.due.sort_by_key(|at| std::cmp::Reverse(*at));
        self.shelve(bucket);
    }

    /// The devices of a holding that the market may give to somebody else.
    fn traded<'h>(&self, bucket: usize, holding: &'h Holding) -> impl Iterator<Item = DeviceId> + use<'h, 'a> {
        let node = self.buckets[bucket].node;
        let is_traded =
            |id: &DeviceId| node.devices.iter().any(|device| device.id == *id && device.state.is_tradable());
        holding.devices.iter().copied().filter(is_traded)
    }

    pub(super) fn unshelve(&mut self, bucket: usize) {
        let (floor, free) = (self.floor(bucket), self.buckets[bucket].free.len());
        let shelves = &mut self.shelves[self.buckets[bucket].class];
        if let Some(shelf) = shelves.get_mut(&free) {
            shelf.remove(&(floor, bucket));
        }
    }

    pub(super) fn shelve(&mut self, bucket: usize) {
        if self.buckets[bucket].ask.is_some() {
            let (floor, free) = (self.floor(bucket), self.buckets[bucket].free.len());
            self.shelves[self.buckets[bucket].class].entry(free).or_default().insert((floor, bucket));
        }
    }
}

/// What an iterator over a shelf comes to next.
fn next_on(shelf: &mut std::iter::Peekable<impl Iterator<Item = (i64, usize)>>) -> Option<(i64, usize)> {
    shelf.peek().copied()
}
