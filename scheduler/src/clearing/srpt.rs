//! Shortest remaining processing time: the job that would be done soonest, were it alone on its fastest class.
//!
//! On one machine no rule has a smaller mean completion time (Schrage 1968); with gangs on several classes it is the rule of
//! thumb. A long job may never be served, and whoever understates its work is served first.

use super::in_order::in_order;
use super::{Policy, Proposal, Shares};

/// The policy `srpt`.
#[derive(Debug)]
pub struct Srpt;

impl Policy for Srpt {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        in_order(shares, |member| shares.time_left(member))
    }
}
