//! Prices: one per class, within every limit, at or above every ask, and accounted for to the last micro.

use super::Violation;
use super::case::Case;
use crate::plan::{Grant, Why};
use crate::world::{ClassId, Micros, Residue, Want, charge};

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    for grant in &case.plan.grants {
        check_grant(case, grant, found);
    }
    for row in &case.plan.prices {
        let Some(price) = row.price else { continue };
        if !is_founded(case, &row.class, price.micros()) {
            found.push(Violation::PriceUnfounded { class: row.class.clone() });
        }
    }
}

fn check_grant(case: &Case<'_>, grant: &Grant, found: &mut Vec<Violation>) {
    let (demand, price) = (grant.demand, grant.price.micros());
    let Some(listed) = case.demands.get(&demand) else { return };
    let ask = case.nodes.get(&grant.node).and_then(|node| node.asks.iter().find(|ask| ask.class == grant.class));
    let floor = ask.map_or(i64::MAX, |ask| ask.floor.micros());
    match (grant.why, &listed.want) {
        (Why::OnDemand, Want::OnDemand(claim)) => {
            if claim.price != grant.price {
                found.push(Violation::WrongPrice { demand });
            }
        }
        (Why::Market, _) => {
            if case.price(&grant.class) != Some(price) {
                found.push(Violation::NotUniform { demand });
            }
            if case.market_limit(listed, &grant.class).is_none_or(|limit| price > limit) {
                found.push(Violation::AboveLimit { demand });
            }
            if price < floor {
                found.push(Violation::BelowAsk { demand });
            }
        }
        _ => {
            if price != case.entitlement_price(&grant.class, floor) {
                found.push(Violation::WrongPrice { demand });
            }
        }
    }
    if !is_covered(case, grant) {
        found.push(Violation::AboveLimit { demand });
    }
    if !balances(case, grant) {
        found.push(Violation::Unbalanced { demand });
    }
}

/// Whether what is set aside pays for a round.
fn is_covered(case: &Case<'_>, grant: &Grant) -> bool {
    let funds = match &case.demands[&grant.demand].want {
        Want::OnDemand(_) => return true,
        Want::Bid(bid) => bid.funds,
        Want::Job(job) => job.budget_left,
    };
    let gang = i128::try_from(grant.devices.len()).unwrap_or(i128::MAX);
    let cost = i128::from(grant.price.micros()) * gang * i128::from(case.rules.round.get());
    cost <= i128::from(funds.get()) * 3_600_000
}

/// Whether a round's charge splits into what the provider earns and what the platform keeps.
fn balances(case: &Case<'_>, grant: &Grant) -> bool {
    let devices = i32::try_from(grant.devices.len()).unwrap_or(i32::MAX);
    let Ok((amount, _)) = charge(grant.price, devices, case.rules.round, Residue::ZERO) else { return false };
    let fee = amount.basis_points(case.rules.fee_bps);
    let earned = fee.and_then(|fee| amount.checked_sub(fee));
    fee.zip(earned).is_some_and(|(fee, earned)| fee >= Micros::ZERO && earned >= Micros::ZERO)
}

/// A price is a sold ask or a losing limit; where nothing was sold it is the lowest open ask or a limit that found none.
fn is_founded(case: &Case<'_>, class: &ClassId, price: i64) -> bool {
    let floor = |node| {
        let node: &crate::world::Node = case.nodes.get(&node)?;
        node.asks.iter().find(|ask| ask.class == *class).map(|ask| ask.floor.micros())
    };
    let sold = |why, at: &ClassId, node| why == Why::Market && at == class && floor(node) == Some(price);
    let granted = case.plan.grants.iter().any(|grant| sold(grant.why, &grant.class, grant.node));
    let awaited = case.plan.awaiting.iter().any(|seat| sold(seat.why, &seat.class, seat.node));
    let losing = case
        .snapshot
        .demands
        .iter()
        .any(|demand| !case.is_seated(demand.id()) && case.market_limit(demand, class) == Some(price));
    let open = case.nodes.values().filter_map(|node| case.open_ask(node, class)).map(|ask| ask.floor.micros()).min();
    granted || awaited || losing || open == Some(price)
}
