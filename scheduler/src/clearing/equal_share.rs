//! Equal time: what is idle goes to the job that has run least for its weight, wherever it ran.
//!
//! The baseline of every comparison: it knows neither work nor speed, so it cannot be misled about them, and it cannot
//! make good for a slow device.

use super::{Policy, Proposal, Shares, by_job};

/// The policy `equal_share`.
#[derive(Debug)]
pub struct EqualShare;

impl Policy for EqualShare {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let idle = by_job(shares, |member| {
            let member = &shares.members[member];
            let time = i128::from(member.account.state.received.get()) * i128::from(member.job.gang);
            time * 1000 / i128::from(member.job.weight_milli.max(1))
        });
        Proposal { idle, ..Proposal::default() }
    }
}
