//! The accounts of a job: work done, work its reference did, and entitled time owed, brought forward to now.

use super::deadline::QUANTUM;
use crate::world::{At, Holding, Job, JobFairness, Millis, Rules};

/// Milliseconds in a second.
const SECOND: i128 = 1000;
/// Reference speeds are in millionths per second, intervals in milliseconds.
const PACE_UNIT: i128 = 1_000_000_000;
/// No job is owed, or ahead by, more quanta than this. A bound for arithmetic, far from any real account.
const MOST_QUANTA: i64 = 1_000_000;
/// Nobody's account of a target goes beyond so many quanta: a gang that finds no place for long does not shut out those
/// that come later.
const MOST_BY_TARGET: i64 = 16;

/// A job's accounts at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Work done, in milliunits.
    pub done: i64,
    /// What the reference did, in milliunits.
    pub reference: i64,
    /// The state with credit, rests and time received brought forward; share and service as they were.
    pub state: JobFairness,
}

/// Brings a job's accounts from `job.advanced_at` to `now`: its reference at the pace and its credit at the share that
/// the last round set, its work at the measured speed of the gang in `holding` for as long as that was usable.
#[must_use]
pub fn advance(job: &Job, arrived_at: At, holding: Option<&Holding>, now: At, rules: &Rules) -> Account {
    let mut state = job.fairness.clone();
    let from = job.advanced_at;
    let elapsed = now.since(from).at_least_zero();
    let held = holding.map_or(Millis::ZERO, |holding| overlap(from, now, Some(holding.since), holding.notice_until));
    let usable = holding.map_or(Millis::ZERO, |holding| overlap(from, now, holding.usable_at, holding.notice_until));

    let speed = holding.map_or(0, |holding| job.speed_on(&holding.class));
    let worked = accrue(speed, usable, SECOND, &mut state.done_rest);
    let done = job.done.saturating_add(worked);

    let ideal_work = accrue(state.pace, elapsed, PACE_UNIT, &mut state.reference_rest);
    let reference = job.reference.saturating_add(ideal_work);
    if state.ideal.is_none() && reference >= job.work && state.pace > 0 {
        let beyond = time_for(reference - job.work, state.pace);
        state.ideal = now.since(arrived_at).checked_sub(beyond);
    }

    state.crowd_sum = state.crowd_sum.saturating_add(state.crowd_milli.saturating_mul(elapsed.get()));
    // Only what the gang ran by right uses a target up: luck is not charged for.
    let by_right = holding.filter(|_| state.service > 0);
    for target in &mut state.targets {
        let here = by_right.filter(|holding| holding.class == target.class).map_or(Millis::ZERO, |_| held);
        let credit = change(target.credit, target.share, elapsed, QUANTUM, here, rules);
        target.credit = credit.clamp(-MOST_BY_TARGET * QUANTUM, MOST_BY_TARGET * QUANTUM);
    }
    state.received = state.received.checked_add(held).unwrap_or(state.received);
    state.credit = credit(&state, elapsed, held, rules);
    Account { done, reference, state }
}

/// Entitled time owed after `elapsed`, of which the gang ran for `held`.
#[must_use]
pub fn credit(state: &JobFairness, elapsed: Millis, held: Millis, rules: &Rules) -> i64 {
    change(state.credit, state.share, elapsed, state.service, held, rules)
}

/// An account of quanta after `elapsed` at `share`, less what running for `held` at `service` used up.
fn change(credit: i64, share: i64, elapsed: Millis, service: i64, held: Millis, rules: &Rules) -> i64 {
    let due = i128::from(share) * i128::from(elapsed.get());
    let received = i128::from(service) * i128::from(held.get());
    let change = (due - received).div_euclid(i128::from(rules.quantum().get()));
    let most = MOST_QUANTA * QUANTUM;
    i64::try_from(i128::from(credit) + change).unwrap_or(most).clamp(-most, most)
}

/// Entitled time owed, in milliseconds of the gang.
#[must_use]
pub fn lag_millis(credit: i64, rules: &Rules) -> i64 {
    let millis = i128::from(credit) * i128::from(rules.quantum().get()) / i128::from(QUANTUM);
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// How long `work` milliunits take at `pace` millionths of a milliunit per second.
#[must_use]
pub fn time_for(work: i64, pace: i64) -> Millis {
    let millis = i128::from(work.max(0)) * PACE_UNIT / i128::from(pace.max(1));
    Millis::new(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Work done in `span` at `pace` millionths of a milliunit per second.
#[must_use]
pub fn work_in(span: Millis, pace: i64) -> i64 {
    let work = i128::from(pace) * i128::from(span.get()) / PACE_UNIT;
    i64::try_from(work).unwrap_or(i64::MAX)
}

/// The part of `from..to` after `start` and before `end`.
fn overlap(from: At, to: At, start: Option<At>, end: Option<At>) -> Millis {
    let Some(start) = start else { return Millis::ZERO };
    let end = end.map_or(to, |end| end.min(to));
    end.since(start.max(from)).at_least_zero()
}

/// What `rate` per `unit` of milliseconds adds up to over `span`, the fraction carried in `rest`.
fn accrue(rate: i64, span: Millis, unit: i128, rest: &mut i64) -> i64 {
    let sum = i128::from(rate) * i128::from(span.get()) + i128::from(*rest);
    *rest = i64::try_from(sum.rem_euclid(unit)).unwrap_or(0);
    i64::try_from(sum.div_euclid(unit)).unwrap_or(i64::MAX)
}
