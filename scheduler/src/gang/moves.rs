//! When a running gang is better off elsewhere, and when a market gang that has not started makes room for another.
//!
//! A move costs a notice and a restart: only for a place that is free now and clearly better. What has not started yet can
//! be put elsewhere for nothing.

use super::claim::{Claim, Target};
use super::search::Place;
use super::seating::Seating;
use crate::placement::board::Seat;
use crate::placement::rank::{Shape, admits, free_now};
use crate::plan::Why;
use std::collections::{BTreeMap, BTreeSet};

/// How many gangs are considered for making room for one claim.
const ROOM_TRIES: usize = 64;

/// Who should be somewhere else when seats are given anew.
#[derive(Debug, Default)]
pub struct Wishes {
    /// Running gangs that leave for a better place.
    pub movers: BTreeSet<usize>,
    /// The class that a gang which starts had better take.
    pub homes: BTreeMap<usize, usize>,
    /// Those whose wish could not be met: they are not asked again.
    pub heard: BTreeSet<usize>,
}

impl Wishes {
    /// Forgets the wishes of those who got no seat with them; says whether there were any.
    pub fn drop_unmet(&mut self, is_seated: impl Fn(usize) -> bool) -> bool {
        let all = self.movers.iter().chain(self.homes.keys());
        let unmet: Vec<usize> = all.copied().filter(|demand| !is_seated(*demand)).collect();
        for demand in &unmet {
            self.movers.remove(demand);
            self.homes.remove(demand);
            self.heard.insert(*demand);
        }
        !unmet.is_empty()
    }

    fn len(&self) -> usize {
        self.movers.len() + self.homes.len()
    }
}

impl Seating<'_> {
    /// Adds who would rather be where nobody else wanted to be, in order of rank; says whether anybody would. Takes the
    /// places it finds: ask it of a copy.
    pub(super) fn add_wishes(mut self, wishes: &mut Wishes) -> bool {
        let mut seated: Vec<(usize, usize)> = Vec::new();
        for (demand, target) in self.targets.iter().enumerate() {
            let Some(target) = target.as_ref().filter(|target| target.right != Why::OnDemand) else { continue };
            let starts = self.board.seats[demand] == Seat::None && target.right == Why::Market;
            let may_move = if target.continues { !self.is_protected(demand) } else { starts };
            if may_move && !wishes.heard.contains(&demand) {
                seated.push((target.rank, demand));
            }
        }
        seated.sort_unstable();
        let before = wishes.len();
        for (rank, demand) in seated {
            let continues = self.targets[demand].as_ref().is_some_and(|target| target.continues);
            let Some(place) = self.better_place(rank, demand).filter(|_| !continues || self.has_quota(rank)) else {
                continue;
            };
            self.board.take_free(place.bucket, self.queue[rank].gang);
            if continues {
                wishes.movers.insert(demand);
            } else {
                wishes.homes.insert(demand, self.board.buckets[place.bucket].class);
            }
        }
        wishes.len() > before
    }

    /// A free place for a running gang that is clearly cheaper or faster than where it is.
    fn better_place(&self, rank: usize, demand: usize) -> Option<Place> {
        let claim = &self.queue[rank];
        let bucket = self.targets[demand].as_ref()?.bucket;
        let (class, floor) = (self.board.buckets[bucket].class, self.board.floor(bucket));
        if claim.right != Why::Market {
            let choices = self.speeds.get(&demand)?;
            let here = choices.iter().find(|choice| choice.class == class)?.cost?;
            let elsewhere = self.search_free(&Claim { choices: choices.clone(), ..claim.clone() })?;
            return self.is_clearly_less(elsewhere.cost, here).then_some(elsewhere);
        }
        // In its own class it saves only if its own ask is the one that makes the price.
        let here = self.book.dearest_floor(class).max(floor);
        let choices = claim.choices.iter().filter(|choice| choice.class != class || floor == here);
        let places = choices.filter_map(|choice| {
            let ceiling = self.book.ceiling(choice.class, claim.ceiling)?;
            let shape = Shape { class: choice.class, gang: claim.gang, ceiling, node: None };
            let bucket = free_now(&self.board, shape)?;
            let others = if choice.class == class { 0 } else { self.book.dearest_floor(choice.class) };
            Some(Place { bucket, cost: self.board.floor(bucket).max(others), victims: Vec::new(), waits: false })
        });
        let elsewhere = places.min_by_key(|place| (place.cost, place.bucket))?;
        self.is_clearly_less(elsewhere.cost, here).then_some(elsewhere)
    }

    /// Puts market gangs that have not started elsewhere, if that makes room for this claim; says whether it did.
    pub(super) fn make_room(&mut self, rank: usize) -> bool {
        let claim = self.queue[rank].clone();
        claim.choices.iter().any(|choice| {
            let Some(ceiling) = self.book.ceiling(choice.class, claim.ceiling) else { return false };
            let shape = Shape { class: choice.class, gang: claim.gang, ceiling, node: None };
            let movable = self.movable.get(&choice.class).into_iter().flatten().copied();
            let found = movable.take(ROOM_TRIES).find_map(|demand| {
                let target = self.targets[demand].as_ref()?;
                let room = self.board.buckets[target.bucket].free.len() + target.gang;
                let helps = room >= shape.gang && admits(&self.board, target.bucket, shape);
                let elsewhere = if helps { self.other_place(target, claim.ceiling) } else { None };
                elsewhere.map(|bucket| (demand, bucket))
            });
            found.is_some_and(|(demand, bucket)| {
                self.put_elsewhere(demand, bucket);
                true
            })
        })
    }

    /// Another class in which a gang that has not started would stand as well, on a floor that `limit` can bear.
    fn other_place(&self, target: &Target, limit: i64) -> Option<usize> {
        let claim = &self.queue[target.rank];
        let here = self.board.buckets[target.bucket].class;
        let others = claim.choices.iter().filter(|choice| choice.class != here);
        others
            .filter_map(|choice| {
                let ceiling = self.book.ceiling(choice.class, claim.ceiling)?.min(limit);
                free_now(&self.board, Shape { class: choice.class, gang: claim.gang, ceiling, node: None })
            })
            .min_by_key(|bucket| (self.board.floor(*bucket), *bucket))
    }

    fn put_elsewhere(&mut self, demand: usize, bucket: usize) {
        let Some(mut target) = self.targets[demand].take() else { return };
        let from = self.board.buckets[target.bucket].class;
        self.board.give_back(target.bucket, std::mem::take(&mut target.devices));
        target.devices = self.board.take_free(bucket, target.gang);
        target.bucket = bucket;
        self.targets[demand] = Some(target);
        self.recount_book(from);
        self.note_market(demand);
    }
}
