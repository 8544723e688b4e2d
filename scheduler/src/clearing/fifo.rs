//! First in, first out: the job that came first gets all it needs, then the next.
//!
//! The baseline of every comparison of waiting times. It knows neither work nor speed, so it cannot be misled, and a short
//! job waits behind every long one that came before it.

use super::in_order::in_order;
use super::{Policy, Proposal, Shares};

/// The policy `fifo`.
#[derive(Debug)]
pub struct Fifo;

impl Policy for Fifo {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        // Equals go by arrival.
        in_order(shares, |_| ())
    }
}
