//! Gangs that were let in at this very instant, while a round is decided again in the world that a decision would leave behind.
//!
//! They are decided on again just as they were when they were let in: they have no seat, and their devices are free until their
//! own claim has its turn. Did they stand as those do who came in earlier rounds, they would have to stay, because nobody is let
//! in and sent away at once, and whoever came before them in the line would find less than it did: the second decision would
//! differ from the first by that alone. What they keep is the place, as if it had been promised to them, and the very devices.

use super::board::Board;
use crate::world::{At, DemandId, DeviceId, Holding};

/// What becomes of gangs that were let in at this very instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newcomers {
    /// They are decided on again.
    Anew,
    /// They stay, like all others inside a minimum run.
    Stay,
}

/// Whether a gang was let in at this very instant. What is let at the posted price is not decided on again.
#[must_use]
pub fn has_come(holding: &Holding, now: At) -> bool {
    holding.since == now && holding.notice_until.is_none() && !matches!(holding.demand, DemandId::OnDemand(_))
}

impl Board<'_> {
    /// Where a gang, by the ordinal of its holding, stands that is decided on again.
    pub(super) fn stood(&self, holding: usize, newcomers: Newcomers) -> Option<usize> {
        let (bucket, _) = self.places[holding]?;
        let held = &self.world.holdings[holding];
        let anew = newcomers == Newcomers::Anew && has_come(held, self.now) && !self.is_withdrawn(bucket, holding);
        anew.then_some(bucket)
    }

    /// Takes `count` free devices of a bucket for a demand: those that it was given there at this very instant, if they still are.
    pub fn take_free_for(&mut self, demand: usize, bucket: usize, count: usize) -> Vec<DeviceId> {
        let own = self.newcomers.get(&demand).map_or(&[][..], |holding| &self.world.holdings[*holding].devices);
        let free = &self.buckets[bucket].free;
        if own.len() != count || !own.iter().all(|device| free.contains(device)) {
            return self.take_free(bucket, count);
        }
        self.unshelve(bucket);
        self.buckets[bucket].free.retain(|device| !own.contains(device));
        self.shelve(bucket);
        own.to_vec()
    }
}
