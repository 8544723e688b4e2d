//! Hardware: every device once, every gang whole, every promise covered.

use super::Violation;
use super::case::Case;
use crate::placement::fit::{Need, fit};
use crate::plan::{Grant, Why};
use crate::world::{ClassId, NodeId, PricePerHour, Want};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    let mut given = BTreeSet::new();
    let mut seated = BTreeSet::new();
    for grant in &case.plan.grants {
        for device in &grant.devices {
            if !given.insert(*device) {
                found.push(Violation::DeviceGrantedTwice { device: *device });
            }
        }
        if !seated.insert(grant.demand) || case.awaiting.contains_key(&grant.demand) {
            found.push(Violation::TwoSeats { demand: grant.demand });
        }
        check_grant(case, grant, found);
    }
    check_promises(case, found);
}

fn check_grant(case: &Case<'_>, grant: &Grant, found: &mut Vec<Violation>) {
    let demand = grant.demand;
    let (Some(listed), Some(node)) = (case.demands.get(&demand), case.nodes.get(&grant.node)) else {
        found.push(Violation::NotAskedFor { demand });
        return;
    };
    let right_node = match &listed.want {
        Want::OnDemand(claim) => claim.node == grant.node && grant.why == Why::OnDemand,
        Want::Bid(_) => grant.why == Why::Market,
        Want::Job(_) => grant.why != Why::OnDemand,
    };
    if !right_node || !listed.accepts(&grant.class) {
        found.push(Violation::NotAskedFor { demand });
    }
    let held: BTreeSet<_> =
        case.running.get(&demand).iter().flat_map(|holding| holding.devices.iter().copied()).collect();
    let same = held == grant.devices.iter().copied().collect() && !held.is_empty();
    match (grant.continues, held.is_empty()) {
        (true, _) if !same => found.push(Violation::NotThere { demand }),
        (false, false) => found.push(Violation::TwoSeats { demand }),
        _ => {}
    }
    let posted_goes_on = grant.continues && grant.why == Why::OnDemand;
    if posted_goes_on {
        return;
    }
    let need = Need {
        class: &grant.class,
        gang: listed.gang(),
        ceiling: ceiling(case, grant),
        until: case.now.saturating_add(case.rules.round).saturating_add(case.rules.notice),
    };
    let is_free = |device| case.holder.get(&device).is_none_or(|holding| grant.continues && holding.demand == demand);
    if let Err(misfit) = fit(&need, node, &grant.devices, is_free) {
        found.push(Violation::DoesNotFit { demand, misfit });
    }
}

/// The highest floor that a gang stands on: what it pays, but for the posted price.
fn ceiling(_case: &Case<'_>, grant: &Grant) -> Option<PricePerHour> {
    (grant.why != Why::OnDemand).then_some(grant.price)
}

/// Waiting gangs and new grants together need no more devices than are free or leave.
fn check_promises(case: &Case<'_>, found: &mut Vec<Violation>) {
    let mut promised: BTreeMap<(NodeId, &ClassId), usize> = BTreeMap::new();
    for awaiting in &case.plan.awaiting {
        let asked = case.demands.get(&awaiting.demand).filter(|demand| {
            demand.accepts(&awaiting.class) && demand.gang() == awaiting.devices && awaiting.until > case.now
        });
        if asked.is_none() {
            found.push(Violation::NotAskedFor { demand: awaiting.demand });
        }
        let devices = usize::try_from(awaiting.devices).unwrap_or(0);
        *promised.entry((awaiting.node, &awaiting.class)).or_insert(0) += devices;
    }
    for ((node, class), waiting) in promised {
        let here = case.nodes.get(&node).into_iter().flat_map(|node| &node.devices);
        let traded = here.filter(|device| device.class == *class && device.state.is_tradable());
        let (mut there, mut new) = (0, 0);
        for device in traded {
            let holder = case.holder.get(&device.id);
            let leaves = |rental| case.evictions.contains_key(&rental);
            let free = holder.is_none_or(|holding| holding.notice_until.is_some() || leaves(holding.rental));
            there += usize::from(free);
            new += usize::from(free && case.granted.contains(&device.id));
        }
        if waiting + new > there {
            let (class, promised) = (class.clone(), waiting + new);
            found.push(Violation::PromisedTooMuch { node, class, promised, there });
        }
    }
}
