//! Workloads' rows: what should run for each epoch of a rental, and what is known about it.
//!
//! A workload is *wanted* while it is its rental's current epoch and the rental's state wants one
//! ([`crate::rental::RentalState::wants_workload`]); the condition is spelled out where it is needed.

mod calls;
mod compare;
mod desired;
mod due;
mod news;

pub use calls::{Answer, Called, answer, claim_creates, claim_polls, claim_terminations, intend};
pub use compare::{Expected, claim_nodes, expected_on, unwanted};
pub use desired::{Desired, desired_on, log};
pub use due::{Due, due, forget, late, settled_stops};
pub use news::{Report, news, report, unreported};

use super::StoreError;
use crate::rental::{ClientToken, Observed};

fn token(text: &str) -> Result<ClientToken, StoreError> {
    text.parse().map_err(|error| StoreError::corrupt("client token", error))
}

fn observed(text: &str) -> Result<Observed, StoreError> {
    Observed::parse(text).ok_or_else(|| StoreError::corrupt("workload", text))
}
