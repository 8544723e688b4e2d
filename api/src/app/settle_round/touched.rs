//! Which rows a plan is going to touch: what is locked before anything is looked at again.

use std::collections::BTreeMap;

use scheduler::plan::Grant;
use scheduler::world::{DemandId, Holding};
use scheduler::{Code, RoundRecord};

use crate::store::apply::Touched;

/// The holdings of a record, by the demand they serve.
pub(super) fn holdings(record: &RoundRecord) -> BTreeMap<DemandId, &Holding> {
    record.snapshot.holdings.iter().map(|holding| (holding.demand, holding)).collect()
}

/// Whether the grant changes what a running gang pays.
pub(super) fn reprices<'a>(grant: &Grant, holdings: &BTreeMap<DemandId, &'a Holding>) -> Option<&'a Holding> {
    let holding = holdings.get(&grant.demand).copied()?;
    (grant.continues && holding.price != grant.price).then_some(holding)
}

/// The rows that the plan touches.
pub(super) fn touched(record: &RoundRecord) -> Touched {
    let plan = &record.plan;
    let holdings = holdings(record);
    let mut touched = Touched::default();
    touched.rentals.extend(plan.releases.iter().map(|release| release.rental));
    touched.rentals.extend(plan.evictions.iter().map(|eviction| eviction.rental));
    touched.jobs.extend(plan.fairness.iter().map(|standing| standing.job));
    for grant in &plan.grants {
        if let Some(holding) = reprices(grant, &holdings) {
            touched.rentals.insert(holding.rental);
            touched.holds.insert(grant.demand);
        }
        if grant.continues {
            continue;
        }
        match grant.demand {
            DemandId::OnDemand(rental) => drop(touched.rentals.insert(rental)),
            DemandId::Bid(bid) => drop(touched.bids.insert(bid)),
            DemandId::Job(job) => drop(touched.jobs.insert(job)),
        }
        touched.holds.insert(grant.demand);
        touched.nodes.insert(grant.node);
        touched.devices.extend(&grant.devices);
    }
    let paused = plan.explanations.iter().filter(|one| one.code == Code::BudgetPaused);
    touched.holds.extend(paused.map(|one| one.demand).filter(|demand| matches!(demand, DemandId::Bid(_))));
    touched
}
