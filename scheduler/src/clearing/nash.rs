//! Proportional fairness: the division of time with the greatest product of progress, weights as exponents (Nash 1950; Kelly
//! 1997).
//!
//! `maximise sum_j w_j ln u_j`, found and proved by [`crate::solve`]: nobody gains a part of its progress without others losing a
//! larger one together, by weight. Whole gangs follow by [`super::by_credit`].

use super::by_credit::{by_credit, targets};
use super::divided_time::fractions;
use super::{Policy, Proposal, Shares};
use crate::solve::Aim;

/// The policy `nash`.
#[derive(Debug)]
pub struct Nash;

impl Policy for Nash {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let weight = |member: usize| f64::from(shares.members[member].job.weight_milli.max(1)) / 1e3;
        by_credit(shares, targets(&fractions(shares, |member| Aim::Log { weight: weight(member) })))
    }
}
