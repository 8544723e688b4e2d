//! Largest minimum of progress: what is idle goes to the job whose work lags its reference most.
//!
//! Progress is work done over the work a private weighted share would have done since the job came. Raising the least of
//! these ratios first is max-min fairness over the jobs' lives; it looks back only, and does not ask who finishes when.

use super::{Policy, Proposal, Shares, by_job};

/// Millionths.
const MILLION: i128 = 1_000_000;

/// The policy `max_min`.
#[derive(Debug)]
pub struct MaxMin;

impl Policy for MaxMin {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let idle = by_job(shares, |member| {
            let account = &shares.members[member].account;
            i128::from(account.done) * MILLION / i128::from(account.reference.max(1))
        });
        Proposal { idle, ..Proposal::default() }
    }
}
