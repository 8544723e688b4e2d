//! Whether a plan keeps the market's promises, established without the planner's code.

use crate::plan::Plan;
use crate::world::{DemandId, DeviceId, Rules, Snapshot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "invariant", rename_all = "snake_case")]
pub enum Violation {
    /// Two gangs were given one device.
    #[error("device {device} is granted twice")]
    DeviceGrantedTwice {
        /// The device.
        device: DeviceId,
    },
    /// A demand has no explanation, or several.
    #[error("demand {demand} has {count} explanations")]
    NotExplainedOnce {
        /// The demand.
        demand: DemandId,
        /// How many it has.
        count: i32,
    },
}

/// Checks every invariant of a plan against the snapshot it was made from.
///
/// # Errors
/// All violations found, in a fixed order.
pub fn verify(snapshot: &Snapshot, rules: &Rules, plan: &Plan) -> Result<(), Vec<Violation>> {
    let _ = rules;
    let mut violations = Vec::new();
    let mut seen = BTreeSet::new();
    for device in plan.grants.iter().flat_map(|grant| &grant.devices) {
        if !seen.insert(*device) {
            violations.push(Violation::DeviceGrantedTwice { device: *device });
        }
    }
    for demand in snapshot.demands.iter().map(crate::world::Demand::id) {
        let count = plan.explanations.iter().filter(|e| e.demand == demand).count();
        if count != 1 {
            violations.push(Violation::NotExplainedOnce { demand, count: i32::try_from(count).unwrap_or(i32::MAX) });
        }
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}
