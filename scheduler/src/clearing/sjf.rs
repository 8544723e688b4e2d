//! Shortest job first: the job whose work takes least time on its fastest class, whatever of it is done.
//!
//! Whoever understates its work is served first, and a long job may never be.

use super::in_order::in_order;
use super::{Policy, Proposal, Shares};

/// The policy `sjf`.
#[derive(Debug)]
pub struct Sjf;

impl Policy for Sjf {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        in_order(shares, |member| shares.time_alone(member, shares.members[member].job.work))
    }
}
