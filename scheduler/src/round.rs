//! One round, from snapshot to plan.

use crate::explain::{Code, Explanation, Numbers};
use crate::plan::{ClassPrice, Grant, Plan, Why};
use crate::world::{At, ClassId, DemandId, DeviceId, Node, NodeState, PricePerHour, Rules, Snapshot, Want};
use std::collections::{BTreeMap, BTreeSet};

/// Plans a round: who runs where from `now` on, and at which price.
///
/// Pure: the same arguments give the same plan on every machine, in whatever order the snapshot lists its parts.
#[must_use]
pub fn plan(snapshot: &Snapshot, rules: &Rules, now: At, seed: u64) -> Plan {
    let _ = (seed, now, rules);
    let snapshot = snapshot.clone().canonical();
    let mut taken: BTreeSet<DeviceId> = snapshot.holdings.iter().flat_map(|h| h.devices.iter().copied()).collect();
    let running: BTreeSet<DemandId> = snapshot.holdings.iter().map(|h| h.demand).collect();
    let mut plan = Plan::default();
    let mut sold: BTreeMap<ClassId, (PricePerHour, i32)> = BTreeMap::new();
    for demand in &snapshot.demands {
        let id = demand.id();
        let numbers = Numbers { gang: demand.gang(), ..Numbers::default() };
        if running.contains(&id) {
            plan.explanations.push(Explanation { demand: id, code: Code::GrantedMarket, numbers });
            continue;
        }
        let limit = match &demand.want {
            Want::OnDemand(claim) => claim.price,
            Want::Bid(bid) => bid.limit,
            Want::Job(_) => rules.limit_cap,
        };
        let place = snapshot.nodes.iter().find_map(|node| room(node, demand, limit, &taken));
        let Some((node, class, floor, devices)) = place else {
            plan.explanations.push(Explanation { demand: id, code: Code::NoCapacity, numbers });
            continue;
        };
        taken.extend(devices.iter().copied());
        let (why, code) = match &demand.want {
            Want::OnDemand(_) => (Why::OnDemand, Code::GrantedOnDemand),
            Want::Bid(_) => (Why::Market, Code::GrantedMarket),
            Want::Job(_) => (Why::Entitled, Code::GrantedEntitled),
        };
        let price = if why == Why::OnDemand { limit } else { floor };
        let entry = sold.entry(class.clone()).or_insert((price, 0));
        entry.1 += demand.gang();
        plan.grants.push(Grant {
            demand: id,
            node: node.id,
            class: class.clone(),
            devices,
            price,
            why,
            continues: false,
        });
        plan.explanations.push(Explanation { demand: id, code, numbers });
    }
    plan.prices = snapshot
        .classes
        .iter()
        .map(|class| ClassPrice {
            class: class.id.clone(),
            price: sold.get(&class.id).map(|(price, _)| *price),
            supply: 0,
            granted: sold.get(&class.id).map_or(0, |(_, granted)| *granted),
            demanded: 0,
            marginal_limit: None,
            marginal_ask: None,
            losing_limit: None,
        })
        .collect();
    plan
}

fn room<'a>(
    node: &'a Node,
    demand: &crate::world::Demand,
    limit: PricePerHour,
    taken: &BTreeSet<DeviceId>,
) -> Option<(&'a Node, &'a ClassId, PricePerHour, Vec<DeviceId>)> {
    if node.state != NodeState::Ready {
        return None;
    }
    let gang = usize::try_from(demand.gang()).ok()?;
    node.asks.iter().filter(|ask| demand.accepts(&ask.class) && ask.floor <= limit).find_map(|ask| {
        let free =
            node.devices.iter().filter(|d| d.class == ask.class && d.state.is_tradable() && !taken.contains(&d.id));
        let devices: Vec<DeviceId> = free.map(|d| d.id).take(gang).collect();
        (devices.len() == gang).then_some((node, &ask.class, ask.floor, devices))
    })
}
