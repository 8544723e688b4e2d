//! Which jobs on the market nobody contends with: they need not pay its price.
//!
//! A job that no longer bids keeps the place where it runs unless a bid wants it. One that has yet to start, or was let in at this
//! very instant, has its place by its bid alone: what comes before its claim on idle devices would be there first.

use super::claim::Claim;
use super::seating::Seating;
use crate::placement::rank::{Shape, admits};
use crate::plan::Why;
use std::collections::{BTreeMap, BTreeSet};

/// Claims of one right that came away empty-handed, by class and size of gang: place in the queue and ceiling, strongest
/// first, and of weaker ones only those that reach higher.
type EmptyHanded = Vec<BTreeMap<usize, Vec<(usize, i64)>>>;

/// A seat that a job does not have by its share.
#[derive(Clone)]
struct Held {
    gang: usize,
    /// When the job's claim on it as an idle place has its turn, if it would be without it until then.
    turn: Option<usize>,
}

impl Seating<'_> {
    /// Those of `jobs` with a market seat whose devices no claim that came away empty-handed would take, did they not bid for
    /// them.
    pub(super) fn uncontended(&self, jobs: impl Iterator<Item = usize>) -> Vec<usize> {
        let candidates: BTreeSet<usize> = jobs.collect();
        let (turns, mut held) = (self.idle_turns(), vec![Vec::new(); self.board.buckets.len()]);
        for job in self.speeds.keys() {
            if let Some(seat) = self.targets[*job].as_ref().filter(|seat| seat.right != Why::Entitled) {
                let stands = !self.has_just_come(*job) || (seat.right == Why::Market && !candidates.contains(job));
                let turn = turns.get(&(*job, self.board.buckets[seat.bucket].class)).copied();
                held[seat.bucket].push(Held { gang: seat.gang, turn: turn.filter(|_| !stands) });
            }
        }
        let (bids, idle) = (self.empty_handed(Why::Market), self.empty_handed(Why::Idle));
        let is_free = |job: &usize| {
            let Some(seat) = self.targets[*job].as_ref().filter(|seat| seat.right == Why::Market) else { return false };
            let (bucket, class) = (seat.bucket, self.board.buckets[seat.bucket].class);
            let free = self.board.buckets[bucket].free.len() + self.board.buckets[bucket].due.len();
            let all = free + held[bucket].iter().map(|held| held.gang).sum::<usize>();
            let after = |rank: usize| {
                let later = held[bucket].iter().filter(|held| held.turn.is_some_and(|turn| turn > rank));
                free + later.map(|held| held.gang).sum::<usize>()
            };
            let is_wanted =
                |gang: usize, ceiling: i64| admits(&self.board, bucket, Shape { class, gang, ceiling, node: None });
            let outbid =
                || bids[class].range(..=all).any(|(gang, bids)| bids.iter().any(|(_, limit)| is_wanted(*gang, *limit)));
            let too_late = |turn: usize| {
                idle[class].range(..=all).any(|(gang, claims)| {
                    let before = claims.iter().take_while(|(rank, _)| *rank < turn && after(*rank) >= *gang);
                    before.into_iter().any(|(_, ceiling)| is_wanted(*gang, *ceiling))
                })
            };
            let keeps = !self.has_just_come(*job) || turns.get(&(*job, class)).is_some_and(|turn| !too_late(*turn));
            keeps && !outbid()
        };
        candidates.iter().copied().filter(is_free).collect()
    }

    /// Whether a seat is not one that its gang has had since an earlier round.
    fn has_just_come(&self, demand: usize) -> bool {
        self.targets[demand].as_ref().is_none_or(|seat| !seat.continues)
    }

    fn empty_handed(&self, right: Why) -> EmptyHanded {
        let mut wanted: EmptyHanded = vec![BTreeMap::new(); self.board.classes.len()];
        let lost = |claim: &Claim| {
            claim.right == right && self.targets[claim.demand].is_none() && !self.over_quota.contains(&claim.demand)
        };
        for (rank, claim) in self.queue.iter().enumerate().filter(|(_, claim)| lost(claim)) {
            for choice in &claim.choices {
                let claims: &mut Vec<(usize, i64)> = wanted[choice.class].entry(claim.gang).or_default();
                if claims.last().is_none_or(|(_, ceiling)| *ceiling < claim.ceiling) {
                    claims.push((rank, claim.ceiling));
                }
            }
        }
        wanted
    }

    /// When each demand's claim on idle devices of a class has its turn.
    fn idle_turns(&self) -> BTreeMap<(usize, usize), usize> {
        let claims = self.queue.iter().enumerate().filter(|(_, claim)| claim.right == Why::Idle).rev();
        claims
            .flat_map(|(rank, claim)| claim.choices.iter().map(move |choice| ((claim.demand, choice.class), rank)))
            .collect()
    }
}
