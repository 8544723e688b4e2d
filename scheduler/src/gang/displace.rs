//! Whom a stronger claim may send away.
//!
//! Only a gang whose best claim is weaker, and that is neither inside its minimum run nor already leaving. Among all
//! nodes the one is chosen where the strongest gang that has to go is weakest; of the gangs there the weakest go first,
//! and no more than needed.

use super::seating::Seating;
use crate::placement::board::Board;
use crate::placement::rank::{Shape, admits};
use crate::plan::Why;
use std::cmp::Reverse;
use std::collections::BTreeSet;

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

/// The buckets of one class in which gangs run, the one with the weakest gang first, and how weak that can become at
/// most while claims are served: as its last claim is.
type Weakest = Vec<(Reverse<usize>, usize)>;

/// How bad it is that gangs leave a bucket, the less the better: how strong the strongest of them is, then the bucket's
/// floor, then its ordinal.
type Harm = (Reverse<usize>, i64, usize);

/// Where to look first for gangs that may have to leave, by class.
#[derive(Debug, Clone)]
pub(super) struct Hunt {
    now: Vec<Weakest>,
    later: Vec<Weakest>,
}

impl Hunt {
    /// `last` is the place in the queue of each demand's last claim, `in_quantum` who is inside an entitled quantum.
    pub(super) fn new(board: &Board<'_>, last: &[usize], in_quantum: &BTreeSet<usize>) -> Self {
        let mut hunt =
            Self { now: vec![Vec::new(); board.classes.len()], later: vec![Vec::new(); board.classes.len()] };
        for (bucket, here) in board.buckets.iter().enumerate() {
            let is_protected = |runner: &usize| board.is_in_minimum_run(*runner) || in_quantum.contains(runner);
            let loose = here.runners.iter().filter(|runner| !is_protected(runner)).map(|runner| last[*runner]).max();
            hunt.now[here.class].extend(loose.map(|weakest| (Reverse(weakest), bucket)));
            // Who is protected stays when its last claim has come to nothing: nobody is weaker.
            let fast = here.runners.iter().any(is_protected).then_some(usize::MAX);
            hunt.later[here.class].extend(fast.or(loose).map(|weakest| (Reverse(weakest), bucket)));
        }
        hunt.now.iter_mut().chain(&mut hunt.later).for_each(|weakest| weakest.sort_unstable());
        hunt
    }

    fn buckets(&self, class: usize, reach: Reach) -> &Weakest {
        match reach {
            Reach::Now => &self.now[class],
            Reach::Later => &self.later[class],
        }
    }
}

impl Seating<'_> {
    /// The least harm with which a claim of this rank gets a place of this shape.
    pub(super) fn weakest_victims(&self, rank: usize, shape: Shape, reach: Reach) -> Option<Victims> {
        let mut best: Option<(Harm, Victims)> = None;
        for (Reverse(weakest), bucket) in self.hunt.buckets(shape.class, reach).iter().copied() {
            // What comes does more harm than what was found, or is stronger than the claim.
            if weakest <= rank || best.as_ref().is_some_and(|((harm, ..), _)| Reverse(weakest) > *harm) {
                break;
            }
            let here = &self.board.buckets[bucket];
            if here.runners.is_empty() || here.reachable < shape.gang || !admits(&self.board, bucket, shape) {
                continue;
            }
            let found = self.victims_in(rank, bucket, shape.gang, reach);
            let found = found.map(|(harm, victims)| ((harm, self.board.floor(bucket), bucket), victims));
            best = best.into_iter().chain(found).min_by_key(|(harm, _)| *harm);
        }
        best.map(|(_, victims)| victims)
    }

    /// Who has to leave this bucket, and how strong the strongest of them is: the larger the number, the weaker.
    fn victims_in(&self, rank: usize, bucket: usize, gang: usize, reach: Reach) -> Option<(Reverse<usize>, Victims)> {
        let here = &self.board.buckets[bucket];
        let mut room = here.free.len() + here.due.len();
        let weaker = here.runners.iter().copied().filter(|runner| self.may_displace(rank, *runner, reach));
        let mut weaker: Vec<(usize, usize)> = weaker.map(|runner| (self.strength[runner], runner)).collect();
        if room + weaker.iter().map(|(_, runner)| self.board.yields(*runner)).sum::<usize>() < gang {
            return None;
        }
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
        (room >= gang && !demands.is_empty()).then_some((Reverse(strongest), Victims { bucket, demands }))
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
