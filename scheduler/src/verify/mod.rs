//! Whether a plan keeps the market's promises, established without the planner's code.
//!
//! Nothing here calls the planner's modules, except the one predicate `fit` that everybody must share. Each file below looks at
//! the plan from one side and re-derives what it needs from the snapshot: `devices` counts hardware, `money` prices,
//! `exchange` what the policy of that name recorded,
//! `rights` who may be sent away and who goes first, `leftovers` what stays idle, `story` the explanations.

mod case;
mod devices;
mod exchange;
mod leftovers;
mod money;
mod rights;
mod story;
mod violation;

pub use violation::Violation;

use crate::plan::Plan;
use crate::world::{Rules, Snapshot};
use case::Case;

/// Checks every invariant of a plan against the snapshot it was made from.
///
/// # Errors
/// All violations found, in a fixed order.
pub fn verify(snapshot: &Snapshot, rules: &Rules, plan: &Plan) -> Result<(), Vec<Violation>> {
    let case = Case::new(snapshot, rules, plan);
    let mut found = Vec::new();
    devices::check(&case, &mut found);
    money::check(&case, &mut found);
    exchange::check(&case, &mut found);
    rights::check(&case, &mut found);
    leftovers::check(&case, &mut found);
    story::check(&case, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found) }
}
