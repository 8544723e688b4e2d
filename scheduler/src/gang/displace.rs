//! Whom a stronger claim may send away.
//!
//! Only a gang whose best claim is weaker, and that is neither inside its minimum run nor already leaving. Among all
//! nodes the one is chosen where the strongest gang that has to go is weakest; of the gangs there the weakest go first,
//! and no more than needed.

use super::seating::Seating;
use crate::placement::rank::{Shape, admits};
use crate::plan::Why;

/// Gangs that have to leave one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Victims {
    /// The bucket.
    pub bucket: usize,
    /// The demands, weakest first.
    pub demands: Vec<usize>,
}

/// How far a claim reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// To gangs that can be told to leave in this round.
    Now,
    /// Also to those that are inside their minimum run.
    Later,
}

impl Seating<'_> {
    /// The least harm with which a claim of this rank gets a place of this shape.
    pub(super) fn weakest_victims(&self, rank: usize, shape: Shape, reach: Reach) -> Option<Victims> {
        let buckets = self.board.of_class[shape.class].iter().copied();
        buckets
            .filter(|bucket| !self.board.buckets[*bucket].runners.is_empty() && admits(&self.board, *bucket, shape))
            .filter_map(|bucket| self.victims_in(rank, bucket, shape.gang, reach))
            .min_by_key(|(harm, victims)| (*harm, self.board.floor(victims.bucket), victims.bucket))
            .map(|(_, victims)| victims)
    }

    /// Who has to leave this bucket, and how strong the strongest of them is: the larger the number, the weaker.
    fn victims_in(
        &self,
        rank: usize,
        bucket: usize,
        gang: usize,
        reach: Reach,
    ) -> Option<(std::cmp::Reverse<usize>, Victims)> {
        let here = &self.board.buckets[bucket];
        let mut room = here.free.len() + here.due.len();
        let mut weaker: Vec<(usize, usize)> = here
            .runners
            .iter()
            .filter(|runner| self.may_displace(rank, **runner, reach))
            .map(|runner| (self.strength[*runner], *runner))
            .collect();
        weaker.sort_unstable_by(|a, b| b.cmp(a));
        let mut demands = Vec::new();
        let mut strongest = usize::MAX;
        for (strength, runner) in weaker {
            if room >= gang {
                break;
            }
            room += self.board.yields(runner);
            strongest = strength;
            demands.push(runner);
        }
        (room >= gang && !demands.is_empty()).then_some((std::cmp::Reverse(strongest), Victims { bucket, demands }))
    }

    fn may_displace(&self, rank: usize, runner: usize, reach: Reach) -> bool {
        let strength = self.strength[runner];
        let right = self.queue.get(strength).map(|claim| claim.right);
        let owed_to_share = self.queue[rank].right == Why::OnDemand && right == Some(Why::Entitled);
        self.targets[runner].is_none()
            && strength > rank
            && !owed_to_share
            && (reach == Reach::Later || !self.is_protected(runner))
    }
}
