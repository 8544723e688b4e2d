//! The few numbers of a round that lists show. Derived from the plan and from what was applied, so it can be derived again.

use std::collections::BTreeMap;

use scheduler::Plan;
use scheduler::plan::Depth;
use scheduler::world::{ClassId, PricePerHour};
use serde::{Deserialize, Serialize};

use super::Applied;

/// A round in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Demands that were looked at.
    pub demands: usize,
    /// Gangs that run after it, new and continuing.
    pub granted: usize,
    /// Gangs that were given notice.
    pub evicted: usize,
    /// Parts of the plan that no longer fitted.
    pub dropped: usize,
    /// How many demands had which outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// Every class that has a price.
    pub prices: Vec<PriceLine>,
    /// The book of every class, in bands that hide single limits. Lists leave it out.
    #[serde(default)]
    pub depth: Vec<Depth>,
}

/// A class and its price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceLine {
    /// The class.
    pub class: ClassId,
    /// Per device and hour.
    pub price: PricePerHour,
    /// Devices that the round could give out.
    pub supply: i32,
    /// Devices that it gave out.
    pub granted: i32,
    /// Devices wanted.
    pub demanded: i32,
}

impl Summary {
    /// The summary of a plan that was applied so far.
    #[must_use]
    pub fn of(plan: &Plan, applied: &Applied) -> Self {
        let mut outcomes = BTreeMap::new();
        for explanation in &plan.explanations {
            *outcomes.entry(explanation.code.as_str().to_owned()).or_default() += 1;
        }
        let continuing = plan.grants.iter().filter(|grant| grant.continues).count();
        let lines = plan.prices.iter().filter_map(|class| {
            Some(PriceLine {
                class: class.class.clone(),
                price: class.price?,
                supply: class.supply,
                granted: class.granted,
                demanded: class.demanded,
            })
        });
        Self {
            demands: plan.explanations.len(),
            granted: continuing + applied.granted.len(),
            evicted: applied.noticed.len(),
            dropped: applied.dropped.len(),
            outcomes,
            prices: lines.collect(),
            depth: plan.depth.clone(),
        }
    }
}
