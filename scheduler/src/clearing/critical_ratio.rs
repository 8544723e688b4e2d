//! Who has to run now to be done when its private share would have been: the order on devices that are all alike.
//!
//! There equal shares leave no slack: whoever is done early leaves a debt to the others that nobody pays back, and whoever is
//! done late with all the others ahead of it is late by all their roundings. So every job is brought to its end just in time.
//! With `left` the rounds that its gang still needs and `room` the rounds that begin in time for the last of them to end by the
//! reference's finish and a little ([`GRACE`]),
//!
//! ```text
//! critical ratio = FIRST + left / room                            if it would be LATEST after its reference otherwise
//!                = (left - MARGIN) / room / gang^SMALL_FIRST      else
//! ```
//!
//! and the largest goes first, whole gangs, as they fit. Served that way all ratios draw level, and at one everybody still is in
//! time. Three things take care of the end, where time is lost that equal shares do not lose:
//!
//! - whoever is done early leaves a debt to the others, so that a last round waits until it must be served (`MARGIN`);
//! - large gangs fill the pool by themselves when the small ones are done, but beside a small one that is left over devices stay
//!   idle, round after round: small ones do most of their work before (`SMALL_FIRST`);
//! - they also are the last, and those before them must not crowd them out: the larger a gang the less may it be late (`GRACE`),
//!   and whoever would be almost two rounds late goes before all others ([`LATEST`]).
//!
//! When references finish depends on when jobs do. That is forecast twice: first as if everybody finished with its own, and
//! then from the finishes that this very order would lead to from there ([`ahead`]). The first alone errs where devices are left
//! over for small gangs: they are done early, the references of large ones run faster from then on, and it is too late for
//! those. No bound is proved; what it reaches is measured (docs/EVALUATION.md).

mod ahead;

use super::forecast::{Curves, Task, falling_weights, task};
use super::{Offer, Shares, float};
use std::collections::BTreeMap;

/// Rounds by which a job may end after its reference: what everybody's last, unfinished round adds up to for the others.
const GRACE: f64 = 1.61;
/// Rounds more, over its gang.
const GRACE_OF_ONE: f64 = 1.24;
/// Who would end so many rounds after its reference unless it runs now goes first of all, whatever its ratio.
const LATEST: f64 = 1.8;
/// Added to the ratio of those: more than any.
const FIRST: f64 = 1e6;
/// Rounds by which what is left counts less while there is time to spare: hardly anything of a last round does.
const MARGIN: f64 = 0.6;
/// By how much the ratio of a job that runs counts more, while it has time to spare: the nearer its ratio comes to one the less.
/// It saves most of the restarts.
const KEEP: f64 = 0.25;
/// Power of its gang by which the ratio of a job with time to spare is divided.
const SMALL_FIRST: f64 = 0.18;
/// How often the forecast of finishes is made from the one before; it changes no more after two or three.
const FORECASTS: usize = 6;

/// A job as the order sees it. Times in rounds.
#[derive(Debug, Clone, Copy)]
struct Due {
    /// Devices it needs at once.
    gang: f64,
    /// What its gang still has to run.
    rounds: f64,
    /// From now until its reference is done.
    reference: f64,
    /// Whether it runs.
    runs: bool,
}

impl Due {
    fn ratio(&self) -> f64 {
        let left = f64::max(libm::ceil(self.rounds - 1e-9), 1.0);
        let room = |grace: f64| {
            let last_begins = self.reference + grace - (self.rounds - (left - 1.0));
            f64::max(libm::floor(last_begins + 1e-9) + 1.0, 0.1)
        };
        let (room, at_most) = (room(GRACE + GRACE_OF_ONE / self.gang), room(LATEST));
        if left >= at_most {
            return FIRST + left / at_most;
        }
        let ratio = (left - MARGIN) / room / libm::pow(self.gang, SMALL_FIRST);
        if self.runs { ratio * (1.0 + KEEP * (1.0 - ratio)) } else { ratio }
    }
}

/// Every member's ratio, in their order; 0 for one that cannot run or pay.
#[must_use]
pub fn ratios(shares: &Shares<'_>) -> Vec<f64> {
    let tasks: Vec<Task> = (0..shares.members.len()).map(|member| task(shares, member)).collect();
    let round = float(shares.rules.quantum().get()) / 1e3;
    let due = |references: Vec<f64>| {
        let due = |(member, reference): (usize, f64)| {
            let task = &tasks[member];
            (task.fastest > 0.0 && shares.members[member].active).then(|| Due {
                gang: f64::from(shares.gang(member)),
                rounds: task.left / task.fastest / round,
                reference: reference / round,
                runs: shares.here(member).is_some(),
            })
        };
        references.into_iter().enumerate().map(due).collect::<Vec<Option<Due>>>()
    };
    let first = due(references(&tasks));
    let devices = shares.owned.iter().copied().map(float).sum();
    let played = ahead::finishes(&first, devices).map(|finishes| {
        let finishes = finishes.iter().map(|finish| finish * round).collect::<Vec<f64>>();
        due(known(&tasks, references_given(&tasks, &finishes)))
    });
    played.unwrap_or(first).iter().map(|due| due.map_or(0.0, |due| due.ratio())).collect()
}

/// Gangs in order of ratio, on whatever class has room for them, in `room` devices of each class. `members` are those that may
/// run, in an order that decides between equals.
#[must_use]
pub fn gangs(shares: &Shares<'_>, ratios: &[f64], members: &[usize], room: &[usize]) -> Vec<Offer> {
    let mut order: Vec<usize> = members.iter().copied().filter(|member| ratios[*member] > 0.0).collect();
    order.sort_by(|a, b| ratios[*b].total_cmp(&ratios[*a]));
    let first = seat(shares, &order, room);
    // The same jobs again, those that run first: nobody is moved only because another came before it.
    let mut settled: Vec<usize> = first.iter().map(|offer| offer.member).collect();
    settled
        .sort_by_key(|member| (shares.runs_on[*member].is_none(), std::cmp::Reverse(shares.members[*member].job.gang)));
    let again = seat(shares, &settled, room);
    if again.len() < first.len() {
        return first;
    }
    let class: BTreeMap<usize, usize> = again.into_iter().map(|offer| (offer.member, offer.class)).collect();
    first.into_iter().map(|offer| Offer { class: class[&offer.member], ..offer }).collect()
}

/// Each in turn where it runs, or else where it leaves least room.
fn seat(shares: &Shares<'_>, order: &[usize], room: &[usize]) -> Vec<Offer> {
    let mut room = room.to_vec();
    let offers = order.iter().filter_map(|member| {
        let (gang, here) = (shares.size(*member), shares.here(*member));
        let classes = shares.speeds[*member].iter().map(|(class, _)| *class).filter(|class| room[*class] >= gang);
        let class = classes.min_by_key(|class| (here != Some(*class), room[*class], *class))?;
        room[class] -= gang;
        Some(Offer { member: *member, class })
    });
    offers.collect()
}

/// Seconds from now until each reference is done, below 0 if it is already, as if every job finished with its reference.
fn references(tasks: &[Task]) -> Vec<f64> {
    let alone: Vec<f64> = tasks.iter().map(|task| task.left / task.fastest.max(1e-9)).collect();
    let total: f64 = tasks.iter().map(|task| task.weight).sum();
    let mut left: Vec<f64> = tasks.iter().map(|task| task.ideal_left / task.weight * total).collect();
    for _ in 0..FORECASTS {
        let finishes: Vec<f64> = left.iter().zip(&alone).map(|(left, alone)| f64::max(*left, *alone)).collect();
        let next = references_given(tasks, &finishes);
        if next == left {
            break;
        }
        left = next;
    }
    known(tasks, left)
}

/// How long each reference still needs if jobs finish then.
fn references_given(tasks: &[Task], finishes: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..tasks.len()).filter(|member| tasks[*member].rate > 0.0).collect();
    order.sort_by(|a, b| finishes[*a].total_cmp(&finishes[*b]).then(a.cmp(b)));
    let times: Vec<f64> = std::iter::once(0.0).chain(order.iter().map(|member| finishes[*member])).collect();
    let weights = falling_weights(tasks, &order);
    let mut curves = Curves::new(&times, &weights);
    tasks.iter().map(|task| curves.ideal_left(task)).collect()
}

/// The same, below 0 for those that are done.
fn known(tasks: &[Task], left: Vec<f64>) -> Vec<f64> {
    tasks.iter().zip(left).map(|(task, left)| task.ideal.map_or(left, |ideal| ideal - task.elapsed)).collect()
}
