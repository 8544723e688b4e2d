//! Nobody prefers another's devices, and the sum of progress is the greatest for which that is so: OEF, cooperative.
//!
//! [`super::oef`] says what is maximised and proves it with a bound; `oef/pool.rs` who the tenants of a pool are. What it
//! guarantees holds for fractions of time; whole gangs follow them by [`super::by_credit`].

use super::by_credit::{by_credit, targets};
use super::oef::{cooperative, pool};
use super::{Policy, Proposal, Shares};

/// The policy `oef_cooperative`.
#[derive(Debug)]
pub struct OefCooperative;

impl Policy for OefCooperative {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        by_credit(shares, targets(&pool::fractions(shares, cooperative)))
    }
}
