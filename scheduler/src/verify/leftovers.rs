//! Work conservation: no device stays idle that an eligible waiting gang could use.

use super::Violation;
use super::case::Case;
use crate::world::{ClassId, Demand, Node, Want};
use std::collections::BTreeMap;

/// Devices of one class on one node that nobody has and nobody is promised.
struct Idle<'a> {
    node: &'a Node,
    floor: i64,
    min_chunk: i32,
    devices: i32,
}

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    let idle = idle(case);
    if idle.is_empty() {
        return;
    }
    for demand in case.snapshot.demands.iter().filter(|demand| waits(case, demand)) {
        for (class, places) in idle.iter().filter(|(class, _)| demand.accepts(class)) {
            let Some(ceiling) = ceiling(case, demand, class) else { continue };
            let gang = demand.gang();
            let usable = |place: &&Idle<'_>| place.devices >= gang && place.min_chunk <= gang && place.floor <= ceiling;
            if let Some(place) = places.iter().find(usable) {
                found.push(Violation::LeftIdle { demand: demand.id(), node: place.node.id });
                break;
            }
        }
    }
}

/// Whether a demand has nothing, and neither quota nor funds nor a notice of its own keep it from having something.
fn waits(case: &Case<'_>, demand: &Demand) -> bool {
    let id = demand.id();
    !case.held.contains_key(&id) && !case.limited.contains(&demand.owner) && !case.is_seated(id)
}

/// The highest floor a demand could stand on in a class at the plan's prices.
fn ceiling(case: &Case<'_>, demand: &Demand, class: &ClassId) -> Option<i64> {
    match &demand.want {
        Want::OnDemand(_) => None,
        Want::Bid(bid) => {
            let price = case.price(class)?;
            let funded = case.is_funded(bid);
            let limit = case.market_limit(demand, class)?;
            // A dearer place would lift the price above what others agreed to.
            (funded && price <= limit).then_some(price)
        }
        Want::Job(job) => {
            let limit = case.quantum_limit(job.budget_left.get(), job.gang);
            (case.entitlement_price(class, 0) <= limit).then_some(limit)
        }
    }
}

fn idle<'a>(case: &Case<'a>) -> BTreeMap<&'a ClassId, Vec<Idle<'a>>> {
    let mut promised: BTreeMap<_, i32> = BTreeMap::new();
    for awaiting in &case.plan.awaiting {
        *promised.entry((awaiting.node, &awaiting.class)).or_insert(0) += awaiting.devices;
    }
    let mut idle: BTreeMap<&ClassId, Vec<Idle<'_>>> = BTreeMap::new();
    for node in case.nodes.values().copied() {
        let mut free: BTreeMap<&ClassId, i32> = BTreeMap::new();
        for device in node.devices.iter().filter(|device| device.state.is_tradable()) {
            if !case.holder.contains_key(&device.id) && !case.granted.contains(&device.id) {
                *free.entry(&device.class).or_insert(0) += 1;
            }
        }
        for (class, devices) in free {
            let devices = devices - promised.get(&(node.id, class)).copied().unwrap_or(0);
            if let Some(ask) = case.open_ask(node, class).filter(|_| devices > 0) {
                let place = Idle { node, floor: ask.floor.micros(), min_chunk: ask.min_chunk, devices };
                idle.entry(class).or_default().push(place);
            }
        }
    }
    idle
}
