//! Finish-time ratio: how long a job takes, over how long its private weighted share of the pool would have taken.

use super::lag::{Account, time_for};
use crate::world::{At, Job};

/// A ratio of one, in the unit of this module.
pub const ONE: i64 = 1_000_000;
/// Larger ratios are told as this one: a job that cannot run is not projected to finish.
pub const MOST: i64 = 1_000_000 * ONE;

/// A ratio as it is told: none without a reference to compare with, because nothing the job can use is there.
#[must_use]
pub fn told(ppm: i64) -> Option<i64> {
    (ppm < MOST).then_some(ppm)
}

/// The ratio that a job is heading for if it is served at its share from now on, in millionths.
///
/// The denominator is the demand-aware reference (MARKET.md, "Ratio"): the past exact, with the share the job had at
/// each time, the future at `pace` millionths of a milliunit per second.
#[must_use]
pub fn projected(job: &Job, arrived_at: At, account: &Account, pace: i64, now: At) -> i64 {
    if pace == 0 {
        return MOST;
    }
    let elapsed = i128::from(now.since(arrived_at).at_least_zero().get());
    let left = i128::from(time_for(job.work.saturating_sub(account.done), pace).get());
    let ideal_left = i128::from(time_for(job.work.saturating_sub(account.reference), pace).get());
    let ideal = account.state.ideal.map_or(elapsed + ideal_left, |ideal| i128::from(ideal.get()));
    let ratio = (elapsed + left) * i128::from(ONE) / ideal.max(1);
    i64::try_from(ratio).unwrap_or(MOST).min(MOST)
}
