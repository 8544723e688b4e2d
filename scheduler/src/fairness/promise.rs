//! Promises: by when a job is finished, told before it is submitted. And who is let into a pool that makes them.
//!
//! A pool promises by capping what the weights of its jobs add up to. Under a cap `N` a job of weight `e` and gang `g` has,
//! whoever else comes, at least the share
//!
//! ```text
//! u = min(1, e / N * phi * C / g)            C: devices in whole gangs that no rental at the posted price can take
//! ```
//!
//! of its time. Let `H` be the time that its gang has to run, restarts included, and `B` the most that the pool can owe it
//! ([`behind`]). The reference has given `H + B` after `(H + B) / u`, and by then the gang has run for `H`. Shares count from
//! the job's first round, and what happens between two rounds is seen by the second:
//!
//! ```text
//! finish_by = now + round + (H + B) / u + round
//! ```
//!
//! It is said only where it is backed: the job names one class, on which all gangs are of its size (the setting of the
//! theorem), nothing comes before the floors but what [`crate::on_demand_room`] lets in, and the budget lasts. Who would
//! spoil that for others is not let in while their promises stand. What nobody can rule out, the loss of devices or a
//! change of the pool's settings, is what a missed promise is refunded for. The numbers are argued in docs/FAIRNESS.md.

use super::deadline::QUANTUM;
use super::weight::taken;
use crate::placement::board::Board;
use crate::placement::newcomers::Newcomers;
use crate::world::{At, ClassId, ClassSpeed, Job, JobId, Micros, Millis, PricePerHour, Rules, Snapshot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Nothing is promised for later than this.
const LONGEST: Millis = Millis::new(365 * 24 * 3_600_000);

/// A job that asks to be let in.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its devices, all or nothing, on one node.
    pub gang: i32,
    /// Its weight, in thousandths.
    pub weight_milli: i32,
    /// Where it can run, and how fast its gang is there.
    pub speeds: &'a [ClassSpeed],
    /// Its work, in milliunits.
    pub work: i64,
    /// The most it may cost.
    pub budget: Micros,
}

/// What was promised, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// When the work is done at the latest.
    pub finish_by: At,
    /// The most that weights may add up to while it stands, in thousandths.
    pub cap_milli: i64,
    /// The class it runs on.
    pub class: ClassId,
    /// Devices that can serve the job and its like, whatever is let at the posted price.
    pub devices: i32,
    /// The part of its time that the job has at least, in trillionths.
    pub share: i64,
    /// How long its gang has to run, restarts included.
    pub time: Millis,
    /// The most that the pool can owe it.
    pub behind: Millis,
}

/// What became of a candidate that may come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// It is promised when it is finished.
    Promised(Promise),
    /// It may come, and is promised nothing.
    Unpromised(Unpromised),
}

/// Why a job is promised nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unpromised {
    /// The pool has no cap.
    #[error("this pool makes no promises: it takes as many jobs as come")]
    NoCap,
    /// The class it would run on depends on what others do.
    #[error("a finish time is promised to jobs that name one device class, and this one names {0}")]
    Classes(usize),
    /// Gangs of several sizes can get into each other's way.
    #[error(
        "a finish time is promised where all jobs on a class have gangs of one size, and another job on {0} differs"
    )]
    Gangs(ClassId),
    /// Nothing to run on.
    #[error("no node that is for sale now has {gang} devices of {class} that no on-demand rental can take")]
    Devices {
        /// The gang.
        gang: i32,
        /// The class.
        class: ClassId,
    },
    /// A turn would be used up by starting.
    #[error("a restart costs as much as a turn lasts in this pool")]
    Restarts,
    /// It could stop for lack of money.
    #[error("the budget may not last: {0} is enough at the prices asked now")]
    Budget(Micros),
    /// More than a year.
    #[error("it may take longer than a year")]
    TooLong,
}

/// Why a candidate may not come in now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// The weights would add up to more than the cap.
    #[error(
        "the pool keeps its jobs' weights within {} so that it can promise finish times, and {} of it is taken: a weight of {} does not fit until a job ends",
        milli(*cap), milli(*taken), milli(*weight)
    )]
    Full {
        /// The cap in force, in thousandths.
        cap: i64,
        /// What counts now.
        taken: i64,
        /// What was to be added.
        weight: i64,
    },
    /// It would compete with gangs of another size that were promised something.
    #[error(
        "jobs on {class} were promised a finish time, which holds only while all gangs there have {gang} devices and name no other class"
    )]
    Spoils {
        /// The class.
        class: ClassId,
        /// The gangs that have a promise.
        gang: i32,
    },
}

/// Whether the candidate may come into the pool, and what it is promised. `given` are the promises that stand, each with the cap that it
/// was made under; `now` is the instant of submission. Jobs of the snapshot, live or departed, count with their weights.
///
/// # Errors
/// [`NotAdmitted`] where the candidate would break what was promised to others, or could.
pub fn admit(
    world: &Snapshot,
    rules: &Rules,
    given: &BTreeMap<JobId, i64>,
    candidate: &Candidate<'_>,
    now: At,
) -> Result<Admission, NotAdmitted> {
    let Some(cap) = rules.admission_cap_milli else { return Ok(Admission::Unpromised(Unpromised::NoCap)) };
    // A cap that was raised since does not make room at the cost of those who were promised something under it.
    let cap = given.values().copied().min().map_or(cap, |least| least.min(cap));
    let (taken, weight) = (taken(world), i64::from(candidate.weight_milli));
    if taken.saturating_add(weight) > cap {
        return Err(NotAdmitted::Full { cap, taken, weight });
    }
    let classes = runnable(candidate.speeds);
    let alike = |job: &Job| job.gang == candidate.gang && runnable(&job.speeds) == classes && classes.len() == 1;
    let beside = |job: &Job| runnable(&job.speeds).iter().any(|class| classes.contains(class));
    let others: Vec<&Job> = world.jobs().filter(|job| beside(job) && !alike(job)).collect();
    if let Some(spoiled) = others.iter().find(|job| given.contains_key(&job.job)) {
        let class = runnable(&spoiled.speeds).first().copied().cloned();
        return Err(class.map_or(NotAdmitted::Full { cap, taken, weight }, |class| NotAdmitted::Spoils {
            class,
            gang: spoiled.gang,
        }));
    }
    let [class] = classes[..] else { return Ok(Admission::Unpromised(Unpromised::Classes(classes.len()))) };
    if !others.is_empty() {
        return Ok(Admission::Unpromised(Unpromised::Gangs(class.clone())));
    }
    let promised = promise(world, rules, cap, candidate, class, now);
    Ok(promised.map_or_else(Admission::Unpromised, Admission::Promised))
}

/// The promise to a candidate that fits in, if there is one to be made.
fn promise(
    world: &Snapshot,
    rules: &Rules,
    cap: i64,
    candidate: &Candidate<'_>,
    class: &ClassId,
    now: At,
) -> Result<Promise, Unpromised> {
    let gang = candidate.gang;
    let devices = backed(world, rules, class, gang, now);
    let quantum = i128::from(QUANTUM);
    let fluid = i128::from(candidate.weight_milli) * i128::from(rules.phi_ppm) * i128::from(devices) * quantum;
    let share = (fluid / (i128::from(cap.max(1)) * 1_000_000 * i128::from(gang.max(1)))).min(quantum);
    if share <= 0 {
        return Err(Unpromised::Devices { gang, class: class.clone() });
    }
    let speed = candidate.speeds.iter().find(|speed| speed.class == *class);
    let speed = speed.map_or(1, |speed| speed.milliunits_per_second);
    let time = time_to_run(candidate.work, speed, rules).ok_or(Unpromised::Restarts)?;
    let behind = behind(rules);
    let wait = (i128::from(time.get()) + i128::from(behind.get())) * quantum;
    let wait = wait / share + 1 + 2 * i128::from(rules.round.get());
    let wait = i64::try_from(wait).ok().filter(|wait| *wait <= LONGEST.get()).ok_or(Unpromised::TooLong)?;
    let needed = cost(world, rules, class, gang, time).ok_or(Unpromised::TooLong)?;
    if candidate.budget < needed {
        return Err(Unpromised::Budget(needed));
    }
    Ok(Promise {
        finish_by: now.saturating_add(Millis::new(wait)),
        cap_milli: cap,
        class: class.clone(),
        devices,
        share: i64::try_from(share).unwrap_or(QUANTUM),
        time,
        behind,
    })
}

/// The most entitled time that a pool can owe a job of a class with equal gangs: twice the longest time for which somebody
/// can have a place. That is a quantum, the round in which its end is seen, and a notice.
///
/// With rounds on time, no notice and no minimum run the theorem gives one quantum; the rest is for rounds that come
/// early or late, and is held by `tests/promises.rs`.
#[must_use]
pub fn behind(rules: &Rules) -> Millis {
    let turn =
        i128::from(rules.quantum().get()) + i128::from(rules.round.get()) + i128::from(rules.notice.get().max(0));
    Millis::new(i64::try_from(2 * turn).unwrap_or(i64::MAX))
}

/// How long a gang runs for its work at most. A turn lasts a quantum, less the half round by which an early round may end it, and each
/// begins with a restart. `None` if nothing is left of a turn.
fn time_to_run(work: i64, speed: i64, rules: &Rules) -> Option<Millis> {
    let ceil = |a: i128, b: i128| a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0);
    let work = ceil(i128::from(work.max(0)) * 1000, i128::from(speed.max(1)));
    let turn = i128::from(rules.quantum().get() - rules.round.get() / 2);
    let restart = i128::from(rules.restart.get().max(0));
    if turn <= restart {
        return None;
    }
    i64::try_from(work + ceil(work, turn - restart) * restart).ok().map(Millis::new)
}

/// Devices of the class, in whole gangs, that stay the jobs' whatever is let at the posted price: each device that may be let there can
/// break a gang.
#[must_use]
pub fn backed(world: &Snapshot, rules: &Rules, class: &ClassId, gang: i32, now: At) -> i32 {
    let world = world.clone().canonical();
    let board = Board::new(&world, rules, now, Newcomers::Stay);
    let with_posted = board.capacity_with_posted();
    let all = i64::from(with_posted.devices(class));
    let posted = all - i64::from(board.capacity_left().devices(class));
    let for_sale = all * (1_000_000 - i64::from(rules.phi_ppm)) / 1_000_000;
    let broken = posted.max(for_sale).saturating_mul(i64::from(gang));
    let whole = i64::from(with_posted.for_gang(class, gang)) - broken;
    i32::try_from(whole.max(0)).unwrap_or(0)
}

/// What the time costs at the dearest ask or the posted entitlement price, and a quantum more: who cannot pay for a whole
/// one is not served.
fn cost(world: &Snapshot, rules: &Rules, class: &ClassId, gang: i32, time: Millis) -> Option<Micros> {
    let asks = world.nodes.iter().flat_map(|node| &node.asks).filter(|ask| ask.class == *class);
    let posted = world.classes.iter().find(|listed| listed.id == *class).and_then(|listed| listed.entitlement_price);
    let price: PricePerHour = asks.map(|ask| ask.floor).chain(posted).max()?;
    price.cost(gang, time.checked_add(rules.quantum())?).ok()
}

/// The classes that a job can run on, in order.
fn runnable(speeds: &[ClassSpeed]) -> Vec<&ClassId> {
    let mut classes: Vec<&ClassId> =
        speeds.iter().filter(|speed| speed.milliunits_per_second > 0).map(|speed| &speed.class).collect();
    classes.sort();
    classes
}

/// Thousandths as people write them.
fn milli(thousandths: i64) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
