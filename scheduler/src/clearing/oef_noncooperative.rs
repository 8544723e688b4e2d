//! Everybody the same progress per weight, and as much as possible: OEF, non-cooperative.
//!
//! Progress is relative to each job's slowest class. [`super::oef`] says what is maximised and proves it with a bound;
//! `oef/pool.rs` who the tenants of a pool are. It is harder to profit here from overstating a speed; understating one may
//! pay, so speeds come from operators' profiles.

use super::by_credit::{by_credit, targets};
use super::oef::{noncooperative, pool};
use super::{Policy, Proposal, Shares};

/// The policy `oef_noncooperative`.
#[derive(Debug)]
pub struct OefNoncooperative;

impl Policy for OefNoncooperative {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        by_credit(shares, targets(&pool::fractions(shares, noncooperative)))
    }
}
