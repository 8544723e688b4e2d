//! From fractions of time to whole gangs: each round runs the gangs that are owed most on the classes where they are owed it.
//!
//! A policy that thinks in fractions says for which part of its time each job should run on each class ([`Targets`]). The
//! accounts grow with the targets and shrink with the time for which the gang ran there by right
//! ([`crate::fairness::lag::advance`]); what a job bought or found idle is not charged. A round then maximises
//!
//! ```text
//! sum of   gang * (credit on the class + target there)^3     over whole gangs, each on one class, within the jobs' part
//! ```
//!
//! the rule of largest weight of Tassiulas and Ephremides (1992): as long as whole gangs can follow the targets at all, no
//! account grows without bound; the power keeps the largest of them small. How large is measured (`tests/targets.rs`). Gangs of
//! several sizes cannot always follow: of two gangs of 4 on 8 devices, of which one is always to run, the other is due a
//! quarter of its time beside gangs of 2 and 1 that are to run always too, and there is never room for it. A job inside
//! a quantum keeps its place, and among equals whoever runs there stays.

use super::whole_gangs::{Candidate, choose};
use super::{Offer, Proposal, Shares, float};
use crate::fairness::deadline::QUANTUM;

/// For each member and class ordinal the fraction of its time, in trillionths; of one member at most [`QUANTUM`] in all.
pub type Targets = Vec<Vec<i64>>;

/// How much more a second quantum that is owed counts than a first.
const URGENCY: f64 = 3.0;
/// By how many quanta of worth staying is preferred: enough to decide between equals, and nothing else.
const STAY: f64 = 1e-3;

/// Targets from fractions: whatever a solver's noise left, no job more than its whole time, and no fraction below zero.
#[must_use]
pub fn targets(fractions: &[Vec<f64>]) -> Targets {
    let row = |row: &Vec<f64>| -> Vec<i64> {
        let sum: f64 = row.iter().map(|part| part.max(0.0)).sum();
        row.iter().map(|part| trillionths(part.max(0.0) / sum.max(1.0))).collect()
    };
    fractions.iter().map(row).collect()
}

/// The whole gangs of a round that follow `targets`, and the order in which jobs take what is idle.
#[must_use]
pub fn by_credit(shares: &Shares<'_>, targets: Targets) -> Proposal {
    let owed = owed(shares, &targets);
    let gangs = gangs(shares, &owed);
    let pairs = shares.by_arrival().into_iter();
    let pairs =
        pairs.flat_map(|member| shares.speeds[member].iter().map(move |(class, _)| Offer { member, class: *class }));
    let mut idle: Vec<Offer> = pairs.collect();
    // What nobody is owed goes to whom it serves best.
    idle.sort_by(|a, b| owed[b.member][b.class].total_cmp(&owed[a.member][a.class]));
    Proposal { gangs, idle, targets, exchange: None }
}

/// Quanta that each job is owed on each class when the coming one is over, were it not to run.
fn owed(shares: &Shares<'_>, targets: &Targets) -> Vec<Vec<f64>> {
    let rows = targets.iter().enumerate().map(|(member, row)| {
        let before = &shares.members[member].account.state.targets;
        let cells = row.iter().enumerate().map(|(class, share)| {
            let account = before.iter().find(|target| target.class == *shares.classes[class]);
            quanta(account.map_or(0, |account| account.credit) + share)
        });
        cells.collect()
    });
    rows.collect()
}

fn gangs(shares: &Shares<'_>, owed: &[Vec<f64>]) -> Vec<Offer> {
    let members = shares.undecided();
    let candidates: Vec<Candidate> = members.iter().map(|member| candidate(shares, *member, &owed[*member])).collect();
    let chosen = choose(&candidates, &shares.room());
    let mut offers: Vec<(f64, Offer)> = members
        .iter()
        .zip(&candidates)
        .zip(chosen)
        .filter_map(|((member, candidate), class)| {
            class.map(|class| (candidate.worth[class], Offer { member: *member, class }))
        })
        .collect();
    // Strongest first, in case that nodes are too small for all of them.
    offers.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    offers.into_iter().map(|(_, offer)| offer).collect()
}

fn candidate(shares: &Shares<'_>, member: usize, owed: &[f64]) -> Candidate {
    let mut worth = vec![0.0; shares.capacity.len()];
    for (class, _) in &shares.speeds[member] {
        if shares.may_go(member, *class) && owed[*class] > 0.0 {
            let stays = if shares.here(member) == Some(*class) { STAY } else { 0.0 };
            worth[*class] = f64::from(shares.gang(member)) * libm::pow(owed[*class] + stays, URGENCY);
        }
    }
    Candidate { gang: shares.size(member), worth }
}

fn quanta(trillionths: i64) -> f64 {
    float(trillionths) / float(QUANTUM)
}

#[expect(clippy::cast_possible_truncation, reason = "a fraction of a trillion")]
fn trillionths(part: f64) -> i64 {
    (part * float(QUANTUM)) as i64
}
