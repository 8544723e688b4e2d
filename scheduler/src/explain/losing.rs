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

/// Entries by class and gang, found when first asked for.
pub(super) struct Entries<'s, 'a> {
    seating: &'s Seating<'a>,
    prices: &'s [Pricing],
    /// Market and idle gangs of each bucket, the cheapest to outbid first.
    occupants: Vec<Vec<Occupant>>,
    /// Devices of each bucket that the market could have had.
    room: Vec<usize>,
    known: BTreeMap<(usize, usize, i64, Option<NodeId>), Entry>,
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
        // Where nobody is inside a minimum run the limit makes no difference.
        let key = (class, gang, if self.has_protected(class) { limit } else { 0 }, node);
        if let Some(entry) = self.known.get(&key) {
            return *entry;
        }
        let shape = Shape { class, gang, ceiling: i64::MAX, node };
        let mut entry = Entry::default();
        for bucket in self.seating.board.of_class[class].iter().copied() {
            let here = &self.seating.board.buckets[bucket];
            if here.ask.is_none() || node.is_some_and(|node| node != here.node.id) {
                continue;
            }
            entry.largest_block = entry.largest_block.max(here.free.len() + here.due.len());
            entry.reachable = entry.reachable.max(self.room[bucket]);
            if admits(&self.seating.board, bucket, shape) {
                self.look_into(bucket, gang, limit, &mut entry);
            }
        }
        let dearest = self.prices[class].marginal_ask.unwrap_or(0);
        let cap = self.seating.board.rules.limit_cap.micros();
        entry.price = entry.price.map(|price| price.max(dearest)).filter(|price| *price <= cap);
        if entry.price.is_some_and(|price| price <= limit) {
            entry.protected_until = None;
        }
        self.known.insert(key, entry);
        entry
    }

    fn has_protected(&self, class: usize) -> bool {
        let mut buckets = self.seating.board.of_class[class].iter();
        buckets.any(|bucket| self.occupants[*bucket].iter().any(|occupant| occupant.protected_until.is_some()))
    }

    fn look_into(&self, bucket: usize, gang: usize, limit: i64, entry: &mut Entry) {
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
        if room >= gang {
            entry.price = Some(entry.price.map_or(price, |least| least.min(price)));
            return;
        }
        self.wait_for(bucket, gang, limit, entry);
    }

    /// When the gang would be let in if minimum runs of weaker gangs ended.
    fn wait_for(&self, bucket: usize, gang: usize, limit: i64, entry: &mut Entry) {
        let here = &self.seating.board.buckets[bucket];
        let mut room = here.free.len() + here.due.len();
        let mut until = None;
        let mut weaker: Vec<&Occupant> =
            self.occupants[bucket].iter().filter(|occupant| occupant.limit < limit).collect();
        weaker.sort_by_key(|occupant| occupant.protected_until);
        for occupant in weaker {
            if room >= gang {
                break;
            }
            room += occupant.gang;
            until = until.max(occupant.protected_until);
        }
        if room >= gang && self.seating.board.floor(bucket) <= limit {
            entry.protected_until = match (entry.protected_until, until) {
                (Some(earlier), Some(until)) => Some(earlier.min(until)),
                (earlier, until) => earlier.or(until),
            };
        }
    }
}
