//! The earliest end of all work that is there: the division of time under which the last job is done soonest.
//!
//! `maximise min_j u_j / (work left of j)`, found and proved by [`crate::solve`]. For jobs that can be divided at will the
//! reciprocal of that level is the least makespan (Narayanan et al. 2020, section 4.2). Whole gangs follow by
//! [`super::by_credit`]. Weights do not count, and who asks for more gets more.

use super::by_credit::{by_credit, targets};
use super::divided_time::fractions;
use super::{Policy, Proposal, Shares};
use crate::solve::Aim;

/// Work below this part of the longest job's counts as much: it is done in passing, and the solver's numbers stay close.
const LEAST: f64 = 1e-4;

/// The policy `makespan`.
#[derive(Debug)]
pub struct Makespan;

impl Policy for Makespan {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let left: Vec<f64> = (0..shares.members.len()).map(|member| left(shares, member)).collect();
        let longest = left.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let reference = |member: usize| (left[member] / longest).max(LEAST);
        by_credit(shares, targets(&fractions(shares, |member| Aim::Level { reference: reference(member) })))
    }
}

/// Milliseconds that the job still needs, alone on its fastest class; 0 for one that does not run.
fn left(shares: &Shares<'_>, member: usize) -> f64 {
    let runs = shares.takes_part(member);
    if runs { milliseconds(shares.time_left(member)) } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "compared, not added up")]
fn milliseconds(time: i128) -> f64 {
    time as f64
}
