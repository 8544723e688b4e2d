//! Seats that stand: claims are served again until nothing that was found out while serving them changes the outcome.
//!
//! Serving claims in order cannot foresee who will have to leave, which class will turn out cheapest, nor which jobs must
//! pay the market's price to run at all. What a pass finds out is told to the next one before it begins. A pass that
//! finds nothing new is the outcome; planning again from it therefore sends nobody else away.

use super::claim::Claim;
use super::seating::Seating;
use crate::fairness::Assessment;
use crate::placement::board::Board;
use crate::plan::{EvictionCause, Why};
use crate::world::{Floors, Holding};
use std::collections::{BTreeMap, BTreeSet};

/// How often claims are served. Two or three passes do almost always; the outcome of the last one is valid in any case.
const MOST_PASSES: usize = 10;

/// What is known before claims are served.
#[derive(Debug, Default)]
struct Foresight {
    /// Jobs that go to the market, since they would have nothing otherwise.
    buyers: BTreeSet<usize>,
    /// Jobs that were found to need no market once.
    spared: BTreeSet<usize>,
    /// Who leaves, and why.
    leaving: BTreeMap<usize, EvictionCause>,
    /// The class that a gang had better take.
    homes: BTreeMap<usize, usize>,
    /// Whose wish for a better place could not be met: they are not asked again.
    heard: BTreeSet<usize>,
    /// Jobs that their share policy wants on another class than they run on.
    movers: BTreeSet<usize>,
}

/// Lines the claims up on a board, for a set of jobs that go to the market.
pub trait Claims<'a>: Fn(&Board<'a>, &BTreeSet<usize>) -> Vec<Claim> {}
impl<'a, F: Fn(&Board<'a>, &BTreeSet<usize>) -> Vec<Claim>> Claims<'a> for F {}

/// Serves the claims, lined up by `claims` on a board, until the outcome stands. `movers` are the jobs that run on another
/// class than their share policy wants: they give up their places first, so that two can change places.
#[must_use]
pub fn settle<'a>(
    board: &Board<'a>,
    fair: &Assessment<'_>,
    movers: BTreeSet<usize>,
    claims: impl Claims<'a>,
) -> Seating<'a> {
    let leaving = movers.iter().map(|demand| (*demand, EvictionCause::Moved)).collect();
    // All jobs go to the market at first, and who is not contended with is spared: the other way round every job that
    // is outbid outbids the next one, one pass each.
    let jobs = fair.members.iter().filter(|member| member.active).map(|member| member.demand);
    let mut known = Foresight { leaving, movers, buyers: jobs.collect(), ..Foresight::default() };
    let mut seating = known.pass(board, fair, &claims);
    for _ in 1..MOST_PASSES {
        if !known.learn(&seating, fair) {
            break;
        }
        seating = known.pass(board, fair, &claims);
    }
    seating
}

impl Foresight {
    fn pass<'a>(&self, board: &Board<'a>, fair: &Assessment<'_>, claims: &impl Claims<'a>) -> Seating<'a> {
        let mut board = board.clone();
        self.leaving.keys().for_each(|demand| board.vacate(*demand));
        let mut queue = claims(&board, &self.buyers);
        for claim in &mut queue {
            claim.home = self.homes.get(&claim.demand).copied();
        }
        let mut seating = Seating::serve_all(board, fair, queue);
        for (demand, cause) in &self.leaving {
            seating.evicted[*demand] = Some(*cause);
        }
        seating
    }

    /// Takes up what a pass found out; says whether there was anything. One kind of news at a time: the first may make
    /// the others void.
    fn learn(&mut self, seating: &Seating<'_>, fair: &Assessment<'_>) -> bool {
        self.learn_buyers(seating, fair)
            || self.learn_unmet(seating)
            || self.learn_leaving(seating)
            || self.learn_wishes(seating)
            || self.learn_spared(seating)
    }

    /// Jobs that have nothing, or lost what they had, go to the market.
    fn learn_buyers(&mut self, seating: &Seating<'_>, fair: &Assessment<'_>) -> bool {
        let before = self.buyers.len();
        let sent_away = |job: usize| seating.evicted[job].is_some_and(|cause| cause != EvictionCause::Moved);
        let has_nothing =
            |job: usize| seating.targets[job].as_ref().is_none_or(|seat| !seat.continues && sent_away(job));
        let active = fair.members.iter().filter(|member| member.active).map(|member| member.demand);
        self.buyers.extend(active.filter(|job| has_nothing(*job)));
        self.buyers.len() > before
    }

    /// Who would rather be elsewhere and found nothing there stays.
    fn learn_unmet(&mut self, seating: &Seating<'_>) -> bool {
        // Where floors are served by deadline a job that is owed time gives up a slow class for a fast one only; where
        // the policy decides alone, whatever it has for the class that the policy wants it on, and for nothing less.
        let by_deadline = seating.board.rules.floors() == Floors::Deadlines;
        let in_vain = |demand: usize| match (&seating.targets[demand], seating.board.holding_of(demand)) {
            (Some(target), Some(held)) => {
                let entitled = target.right == Why::Entitled;
                let same = *seating.board.classes[seating.board.buckets[target.bucket].class] == held.class;
                if !self.movers.contains(&demand) && is_no_cheaper(&seating.board, target.bucket, held) {
                    return true;
                }
                if by_deadline { entitled && same } else { self.movers.contains(&demand) && (!entitled || same) }
            }
            (target, _) => target.is_none(),
        };
        let unmet: Vec<usize> = self.wishing().filter(|demand| in_vain(*demand)).collect();
        for demand in &unmet {
            self.leaving.remove(demand);
            self.homes.remove(demand);
            self.heard.insert(*demand);
        }
        !unmet.is_empty()
    }

    fn learn_leaving(&mut self, seating: &Seating<'_>) -> bool {
        let before = self.leaving.len();
        for (demand, cause) in seating.evicted.iter().enumerate() {
            self.leaving.extend(cause.map(|cause| (demand, cause)));
        }
        self.leaving.len() > before
    }

    fn learn_wishes(&mut self, seating: &Seating<'_>) -> bool {
        let mut news = false;
        for (demand, class) in seating.clone().wishes(&self.heard) {
            let moves = seating.targets[demand].as_ref().is_some_and(|target| target.continues);
            if moves {
                self.leaving.insert(demand, EvictionCause::Moved);
            }
            news |= self.homes.insert(demand, class) != Some(class) || moves;
        }
        news
    }

    /// A job that nobody on the market contends with need not pay the market's price. Tried once for each.
    fn learn_spared(&mut self, seating: &Seating<'_>) -> bool {
        let spared = seating.uncontended(self.buyers.difference(&self.spared).copied());
        for job in &spared {
            self.buyers.remove(job);
            self.spared.insert(*job);
        }
        !spared.is_empty()
    }

    /// Those who are where they are, or leave, for the sake of a better place.
    fn wishing(&self) -> impl Iterator<Item = usize> + '_ {
        let moved = self.leaving.iter().filter(|(_, cause)| **cause == EvictionCause::Moved);
        let moved: BTreeSet<usize> = moved.map(|(demand, _)| *demand).chain(self.homes.keys().copied()).collect();
        moved.into_iter()
    }
}

/// Whether a place is of the class where a gang stands, and its floor is not lower.
fn is_no_cheaper(board: &Board<'_>, bucket: usize, held: &Holding) -> bool {
    let stands = board.bucket(held.node, board.buckets[bucket].class);
    stands.is_some_and(|stands| {
        *board.classes[board.buckets[bucket].class] == held.class && board.floor(stands) <= board.floor(bucket)
    })
}
