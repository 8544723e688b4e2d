//! Least attained service: the job that has received least device time so far, wherever it ran and by whatever right.
//!
//! It needs to know neither work nor speed, and comes close to serving short jobs first where works differ much. Jobs of
//! like age take turns, quantum by quantum, so it restarts gangs far more often than other orders. Source: as used for gangs
//! by Tiresias (NSDI 2019), without its queues.

use super::in_order::in_order;
use super::{Policy, Proposal, Shares};

/// The policy `las`.
#[derive(Debug)]
pub struct Las;

impl Policy for Las {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        in_order(shares, |member| {
            let received = shares.members[member].account.state.received.get();
            i128::from(received) * i128::from(shares.gang(member))
        })
    }
}
