//! The best place for one claim: free devices, devices under notice, or devices of weaker claims.

use super::claim::Claim;
use super::displace::{Reach, Victims};
use super::queue::promised_share;
use super::seating::Seating;
use crate::placement::rank::{Shape, admits, free_now, free_soon};
use crate::plan::Why;

/// No wait and no restart for a gain below this, whatever the pool says: small differences come and go.
const LEAST_GAIN_PPM: i32 = 100_000;

/// A place that a claim can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The bucket.
    pub bucket: usize,
    /// What it costs the claim, in the claim's own unit.
    pub cost: i64,
    /// Who has to leave for it.
    pub victims: Vec<usize>,
    /// Whether the claim has to wait for somebody who leaves.
    pub waits: bool,
}

impl Seating<'_> {
    /// The best place for a claim of this rank. Starting at once is worth more than a place that costs a little less:
    /// one that has to be waited for must be better by `move_gain_ppm`.
    pub(super) fn search(&self, rank: usize) -> Option<Place> {
        let claim = &self.queue[rank];
        if let Some(kept) = self.kept_promise(claim) {
            return Some(kept);
        }
        if claim.as_promised {
            return None;
        }
        let free = self.search_free(claim);
        let waiting = self.search_waiting(rank, claim);
        match (free, waiting) {
            (Some(free), Some(waiting)) if self.is_clearly_less(waiting.cost, free.cost) => Some(waiting),
            (None, waiting) => waiting,
            (free, _) => free,
        }
    }

    /// The place that an earlier round promised, if it can still be had without sending anybody else away.
    fn kept_promise(&self, claim: &Claim) -> Option<Place> {
        let bucket = *self.board.promised.get(&claim.demand)?;
        let here = &self.board.buckets[bucket];
        let choice = claim.looks_at().find(|choice| choice.class == here.class)?;
        // A share that was promised is within the jobs' part as it was then, whatever they own by now.
        let decided = claim.right == Why::Entitled && promised_share(&self.board, claim.demand).is_some();
        let ceiling =
            if decided { self.entitled_floor(here.class, claim.ceiling) } else { self.ceiling_in(claim, here.class) };
        let shape = Shape { class: here.class, gang: claim.gang, ceiling: ceiling?, node: claim.node };
        let fits = here.free.len() + here.due.len() >= claim.gang && admits(&self.board, bucket, shape);
        let cost = choice.cost.unwrap_or_else(|| self.market_cost(here.class, bucket, &[]));
        fits.then_some(Place { bucket, cost, victims: Vec::new(), waits: true })
    }

    /// The best place where a claim can start at once and nobody has to leave.
    pub(super) fn search_free(&self, claim: &Claim) -> Option<Place> {
        self.places(claim, |shape| free_now(&self.board, shape).map(|bucket| (bucket, Vec::new(), false)))
    }

    /// Whether a cost is so much less that it is worth a wait or a restart.
    pub(super) fn is_clearly_less(&self, cost: i64, than: i64) -> bool {
        let gain = i128::from(self.board.rules.move_gain_ppm.max(LEAST_GAIN_PPM));
        i128::from(cost) * (1_000_000 + gain) < i128::from(than) * 1_000_000
    }

    fn search_waiting(&self, rank: usize, claim: &Claim) -> Option<Place> {
        let soon =
            self.places(claim, |shape| free_soon(&self.board, shape).map(|(bucket, _)| (bucket, Vec::new(), true)));
        if soon.is_some() || claim.right == Why::Idle {
            return soon;
        }
        self.places(claim, |shape| {
            let Victims { bucket, demands } = self.weakest_victims(rank, shape, Reach::Now)?;
            Some((bucket, demands, true))
        })
    }

    /// Notes who keeps this claim out only by a minimum run.
    pub(super) fn note_shelter(&mut self, rank: usize) {
        let claim = &self.queue[rank];
        if claim.right == Why::Idle || claim.as_promised {
            return;
        }
        let place = self.places(claim, |shape| {
            let Victims { bucket, demands } = self.weakest_victims(rank, shape, Reach::Later)?;
            Some((bucket, demands, true))
        });
        self.sheltered.extend(place.into_iter().flat_map(|place| place.victims));
    }

    /// The cheapest over the claim's classes of what `find` finds in one.
    fn places(&self, claim: &Claim, find: impl Fn(Shape) -> Option<(usize, Vec<usize>, bool)>) -> Option<Place> {
        let places = claim.looks_at().filter_map(|choice| {
            let ceiling = self.ceiling_in(claim, choice.class)?;
            let shape = Shape { class: choice.class, gang: claim.gang, ceiling, node: claim.node };
            let (bucket, victims, waits) = find(shape)?;
            let cost = choice.cost.unwrap_or_else(|| self.market_cost(choice.class, bucket, &victims));
            Some(Place { bucket, cost, victims, waits })
        });
        places.min_by_key(|place| (place.cost, self.board.floor(place.bucket), place.bucket))
    }

    /// The highest floor that a claim may stand on in a class; `None` where its right does not reach.
    pub(super) fn ceiling_in(&self, claim: &Claim, class: usize) -> Option<i64> {
        match claim.right {
            Why::OnDemand => self.posted_room(class, claim.gang).then_some(i64::MAX),
            Why::Entitled => self.entitled_room(class).then_some(self.entitled_floor(class, claim.ceiling)?),
            Why::Idle => self.entitled_floor(class, claim.ceiling),
            Why::Market => self.book.ceiling(class, claim.ceiling),
        }
    }

    /// What the market will ask at least in a class, if this bucket is sold there and these gangs lose.
    fn market_cost(&self, class: usize, bucket: usize, victims: &[usize]) -> i64 {
        let lost = victims.iter().map(|victim| self.limit_of(*victim)).max().unwrap_or(0);
        self.board.floor(bucket).max(self.book.dearest_floor(class)).max(lost)
    }
}
