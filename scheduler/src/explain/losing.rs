//! What it would have taken: the limit with which a gang would have won, and what stands in its way.

use crate::clearing::uniform_price::{Pricing, market_room};
use crate::gang::seating::Seating;
use crate::placement::rank::{Shape, admits};
use crate::plan::Why;
use crate::world::{At, NodeId};
use std::collections::BTreeMap;

/// What it takes to get a gang of some size into a class.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// The least limit that wins, in micros; `None` where no limit does.
    pub price: Option<i64>,
    /// The most devices that one node has left.
    pub largest_block: usize,
    /// The most devices of one node that the market could have had.
    pub reachable: usize,
    /// When a minimum run ends that alone keeps the gang out.
    pub protected_until: Option<At>,
}

/// Gangs that a higher limit would send away, or a later time.
struct Occupant {
    limit: i64,
    gang: usize,
    protected_until: Option<At>,
}

/// What is known of a class for one size of gang, whatever its limit.
#[derive(Default)]
struct Door {
    /// As told; `protected_until` is of the limit.
    entry: Entry,
    /// From which limit on it is only minimum runs that keep the gang out, and until when; earlier for higher limits.
    waits: Vec<(i64, At)>,
}

/// Entries by class and gang, found when first asked for.
pub(super) struct Entries<'s, 'a> {
    seating: &'s Seating<'a>,
    prices: &'s [Pricing],
    /// Market and idle gangs of each bucket, the cheapest to outbid first.
    occupants: Vec<Vec<Occupant>>,
    /// Devices of each bucket that the market could have had.
    room: Vec<usize>,
    known: BTreeMap<(usize, usize, Option<NodeId>), Door>,
}

impl<'s, 'a> Entries<'s, 'a> {
    pub(super) fn new(seating: &'s Seating<'a>, prices: &'s [Pricing]) -> Self {
        let mut occupants: Vec<Vec<Occupant>> = seating.board.buckets.iter().map(|_| Vec::new()).collect();
        for (demand, target) in seating.targets.iter().enumerate() {
            let Some(target) = target.as_ref().filter(|target| matches!(target.right, Why::Market | Why::Idle)) else {
                continue;
            };
            let limit = if target.right == Why::Market { target.limit } else { 0 };
            let holding = seating.board.holding_of(demand).filter(|_| target.continues);
            let protected_until =
                holding.map(|holding| holding.protected_until).filter(|until| *until > seating.board.now);
            occupants[target.bucket].push(Occupant { limit, gang: target.gang, protected_until });
        }
        for here in &mut occupants {
            here.sort_by_key(|occupant| (occupant.limit, occupant.gang));
        }
        Self { seating, prices, occupants, room: market_room(seating), known: BTreeMap::new() }
    }

    /// What it takes for a gang whose limit is `limit`, on any node or on one.
    pub(super) fn find(&mut self, class: usize, gang: usize, limit: i64, node: Option<NodeId>) -> Entry {
        let key = (class, gang, node);
        if !self.known.contains_key(&key) {
            let door = self.door(class, gang, node);
            self.known.insert(key, door);
        }
        let door = &self.known[&key];
        let reached = door.waits.partition_point(|(least, _)| *least <= limit);
        let until = door.waits[..reached].last().map(|(_, until)| *until);
        let wins = door.entry.price.is_some_and(|price| price <= limit);
        Entry { protected_until: until.filter(|_| !wins), ..door.entry }
    }

    fn door(&self, class: usize, gang: usize, node: Option<NodeId>) -> Door {
        let board = &self.seating.board;
        let one = node.map(|node| board.bucket(node, class));
        let buckets = one.as_ref().map_or(&board.of_class[class][..], |bucket| bucket.as_slice());
        let shape = Shape { class, gang, ceiling: i64::MAX, node };
        let mut door = Door::default();
        for bucket in buckets.iter().copied().filter(|bucket| board.buckets[*bucket].ask.is_some()) {
            let here = &board.buckets[bucket];
            door.entry.largest_block = door.entry.largest_block.max(here.free.len() + here.due.len());
            door.entry.reachable = door.entry.reachable.max(self.room[bucket]);
            if admits(board, bucket, shape) {
                match self.price_in(bucket, gang) {
                    Some(price) => door.entry.price = Some(door.entry.price.map_or(price, |least| least.min(price))),
                    None => self.wait_for(bucket, gang, &mut door.waits),
                }
            }
        }
        let dearest = self.prices[class].marginal_ask.unwrap_or(0);
        let cap = board.rules.limit_cap.micros();
        door.entry.price = door.entry.price.map(|price| price.max(dearest)).filter(|price| *price <= cap);
        door.waits.sort_unstable();
        let mut earliest = None;
        for (_, until) in &mut door.waits {
            *until = earliest.map_or(*until, |earlier: At| earlier.min(*until));
            earliest = Some(*until);
        }
        door
    }

    /// The least limit that gets the gang into a bucket in this round, if any does.
    fn price_in(&self, bucket: usize, gang: usize) -> Option<i64> {
        let here = &self.seating.board.buckets[bucket];
        let mut room = here.free.len() + here.due.len();
        let mut price = self.seating.board.floor(bucket);
        for occupant in self.occupants[bucket].iter().filter(|occupant| occupant.protected_until.is_none()) {
            if room >= gang {
                break;
            }
            room += occupant.gang;
            price = price.max(occupant.limit.saturating_add(1));
        }
        (room >= gang).then_some(price)
    }

    /// When the gang would be let in if minimum runs of gangs with lower limits ended: for each limit at which that
    /// changes.
    fn wait_for(&self, bucket: usize, gang: usize, waits: &mut Vec<(i64, At)>) {
        let here = &self.seating.board.buckets[bucket];
        let floor = self.seating.board.floor(bucket);
        let mut weaker: Vec<(Option<At>, usize)> = Vec::new();
        for occupant in &self.occupants[bucket] {
            weaker.push((occupant.protected_until, occupant.gang));
            weaker.sort_unstable();
            let mut room = here.free.len() + here.due.len();
            let leaves = weaker.iter().find(|(_, devices)| {
                room += devices;
                room >= gang
            });
            let until = leaves.and_then(|(until, _)| *until);
            waits.extend(until.map(|until| (floor.max(occupant.limit.saturating_add(1)), until)));
        }
    }
}
