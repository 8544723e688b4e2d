//! Explanations: exactly one for each demand, and none that the plan contradicts.

use super::Violation;
use super::case::Case;
use crate::explain::{Code, Explanation};
use crate::plan::Why;
use crate::world::DemandId;
use std::collections::BTreeMap;

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    let mut told: BTreeMap<DemandId, usize> = case.demands.keys().map(|demand| (*demand, 0)).collect();
    for explanation in &case.plan.explanations {
        *told.entry(explanation.demand).or_insert(0) += 1;
        if !agrees(case, explanation) {
            found.push(Violation::WrongStory { demand: explanation.demand });
        }
    }
    for (demand, count) in told {
        let expected = usize::from(case.demands.contains_key(&demand));
        if count != expected {
            found.push(Violation::NotExplainedOnce { demand, count });
        }
    }
}

fn agrees(case: &Case<'_>, explanation: &Explanation) -> bool {
    let demand = explanation.demand;
    let granted = case.grants.get(&demand);
    let right = granted.map(|grant| grant.why);
    let priced = granted.is_none_or(|grant| explanation.numbers.price == Some(grant.price));
    let leaves = case
        .held
        .get(&demand)
        .is_some_and(|holding| holding.notice_until.is_some() || case.evictions.contains_key(&holding.rental));
    priced
        && match explanation.code {
            Code::GrantedOnDemand => right == Some(Why::OnDemand),
            Code::GrantedMarket => right == Some(Why::Market),
            Code::GrantedEntitled => matches!(right, Some(Why::Entitled | Why::Idle)),
            Code::AwaitingNotice => right.is_none() && (case.awaiting.contains_key(&demand) || leaves),
            Code::Outbid => !case.is_seated(demand) && is_outbid(case, demand),
            Code::NoCapacity | Code::GangDoesNotFit | Code::OverQuota | Code::BudgetPaused | Code::MinRunProtected => {
                !case.is_seated(demand)
            }
        }
}

/// Outbid means: on some class that it accepts and that is offered the price is at its limit or above.
fn is_outbid(case: &Case<'_>, demand: DemandId) -> bool {
    let Some(listed) = case.demands.get(&demand) else { return false };
    let mut rows = case.plan.prices.iter();
    rows.any(|row| {
        let limit = case.market_limit(listed, &row.class);
        limit.zip(row.price).is_some_and(|(limit, price)| price.micros() >= limit)
    })
}
