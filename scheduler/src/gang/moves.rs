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
use crate::world::Floors;
use std::collections::BTreeSet;

/// How many gangs are considered for making room for one claim.
const ROOM_TRIES: usize = 64;

impl Seating<'_> {
    /// Who would rather be where nobody else wanted to be, in order of rank, and the class there. Takes the places it
    /// finds: ask it of a copy.
    pub(super) fn wishes(mut self, heard: &BTreeSet<usize>) -> Vec<(usize, usize)> {
        let mut seated: Vec<(usize, usize)> = Vec::new();
        for (demand, target) in self.targets.iter().enumerate() {
            if target.as_ref().is_some_and(|target| {
                target.right != Why::OnDemand && !heard.contains(&demand) && self.may_move(target)
            }) {
                seated.extend(target.as_ref().map(|target| (target.rank, demand)));
            }
        }
        seated.sort_unstable();
        let mut wishes = Vec::new();
        for (rank, demand) in &seated {
            if let Some(place) = self.better_class(*rank, *demand) {
                self.board.take_free(place.bucket, self.queue[*rank].gang);
                wishes.push((*demand, self.board.buckets[place.bucket].class));
            }
        }
        let wished: BTreeSet<usize> = wishes.iter().map(|(demand, _)| *demand).collect();
        seated.retain(|(_, demand)| !wished.contains(demand));
        for class in 0..self.board.classes.len() {
            wishes.extend(self.leave_dearest(class, &seated).into_iter().map(|demand| (demand, class)));
        }
        wishes
    }

    /// Whether a seat could be given up for another: by what has run for a quantum, and by what is about to start. Where
    /// a share policy chose the class it knows why.
    fn may_move(&self, target: &Target) -> bool {
        let floors = self.board.rules.floors();
        let chosen = target.right == Why::Entitled && floors == Floors::Nothing;
        if chosen {
            return false;
        }
        if !target.continues {
            return target.starts_at <= self.board.now;
        }
        let demand = self.queue[target.rank].demand;
        let ran = self.board.holding_of(demand).map(|holding| self.board.now.since(holding.since));
        ran.is_some_and(|ran| ran >= self.board.rules.quantum()) && !self.is_protected(demand)
    }

    /// A free place on another class that is clearly cheaper, or faster, than where a gang is.
    fn better_class(&mut self, rank: usize, demand: usize) -> Option<Place> {
        let target = self.targets[demand].as_ref()?;
        let (bucket, continues) = (target.bucket, target.continues);
        let (class, floor) = (self.board.buckets[bucket].class, self.board.floor(bucket));
        if continues && !self.has_quota(rank) {
            return None;
        }
        let claim = &self.queue[rank];
        let all = if claim.right == Why::Market { claim.choices.clone() } else { self.speeds.get(&demand)?.clone() };
        let here = match all.iter().find(|choice| choice.class == class)?.cost {
            Some(cost) => cost,
            None => self.book.dearest_floor(class).max(floor),
        };
        let choices = all.into_iter().filter(|choice| choice.class != class).collect();
        let elsewhere = self.search_free(&Claim { choices, home: None, ..claim.clone() })?;
        let better = if continues { self.is_clearly_less(elsewhere.cost, here) } else { elsewhere.cost < here };
        better.then_some(elsewhere)
    }

    /// The gangs on the dearest ask that a class sells, if all of them find clearly cheaper ones: one alone would not
    /// lower the price.
    fn leave_dearest(&mut self, class: usize, movable: &[(usize, usize)]) -> Vec<usize> {
        let dearest = self.book.dearest_floor(class);
        let on_dearest = |target: &Target| {
            let there = self.board.buckets[target.bucket].class == class && self.board.floor(target.bucket) == dearest;
            there && target.right == Why::Market && !target.sheltered
        };
        let all = self.targets.iter().flatten().filter(|target| on_dearest(target)).count();
        let group: Vec<(usize, usize)> = movable
            .iter()
            .copied()
            .filter(|(_, demand)| self.targets[*demand].as_ref().is_some_and(on_dearest))
            .collect();
        if group.is_empty() || group.len() < all {
            return Vec::new();
        }
        let before = self.board.clone();
        let leaves = group.iter().all(|(rank, demand)| {
            let continues = self.targets[*demand].as_ref().is_some_and(|target| target.continues);
            let shape = Shape { class, gang: self.queue[*rank].gang, ceiling: dearest, node: None };
            let cheaper =
                free_now(&self.board, shape).filter(|bucket| self.is_clearly_less(self.board.floor(*bucket), dearest));
            let Some(bucket) = cheaper.filter(|_| !continues || self.has_quota(*rank)) else { return false };
            self.board.take_free(bucket, shape.gang);
            true
        });
        if leaves {
            return group.into_iter().map(|(_, demand)| demand).collect();
        }
        self.board = before;
        Vec::new()
    }

    /// Puts a market gang that has not started elsewhere, if that makes room for this claim; where it did.
    fn make_room(&mut self, rank: usize) -> Option<usize> {
        let claim = self.queue[rank].clone();
        claim.choices.iter().find_map(|choice| {
            let ceiling = self.book.ceiling(choice.class, claim.ceiling)?;
            let shape = Shape { class: choice.class, gang: claim.gang, ceiling, node: None };
            let movable = self.movable.get(&choice.class).into_iter().flatten().copied();
            let (demand, from, to) = movable.take(ROOM_TRIES).find_map(|demand| {
                let target = self.targets[demand].as_ref()?;
                let room = self.board.buckets[target.bucket].free.len() + target.gang;
                let helps = room >= shape.gang && admits(&self.board, target.bucket, shape);
                let elsewhere = if helps { self.other_place(target, claim.ceiling) } else { None };
                elsewhere.map(|bucket| (demand, target.bucket, bucket))
            })?;
            self.put_elsewhere(demand, to);
            Some(from)
        })
    }

    /// A place for a market claim where a gang that has not started makes room. What could not be moved when a stronger claim
    /// had its turn can have a place to go to by now, so whoever is stronger and came away empty-handed is asked first.
    pub(super) fn search_made_room(&mut self, rank: usize) -> Option<Place> {
        while let Some(bucket) = self.make_room(rank) {
            let stronger: Vec<usize> = (0..rank).filter(|stronger| self.would_use(*stronger, bucket)).collect();
            let seated = stronger.into_iter().filter(|stronger| self.seat_late(*stronger)).count();
            let place = self.search(rank);
            if place.is_some() || seated == 0 {
                return place;
            }
        }
        None
    }

    /// Whether a market claim that had its turn has nothing, and could stand on what is free in a bucket.
    fn would_use(&self, rank: usize, bucket: usize) -> bool {
        let (claim, here) = (&self.queue[rank], &self.board.buckets[bucket]);
        let waits = self.targets[claim.demand].is_none() && self.board.seats[claim.demand] == Seat::None;
        waits && claim.right == Why::Market && claim.gang <= here.free.len() && claim.accepts(here.class)
    }

    fn seat_late(&mut self, rank: usize) -> bool {
        let place = if self.has_quota(rank) { self.search_free(&self.queue[rank]) } else { None };
        let found = place.is_some();
        if let Some(place) = place {
            self.take(rank, place, self.board.now);
        }
        found
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
