//! What the store does with a plan: rentals begin and end, and the next snapshot sees it.

use super::World;
use scheduler::plan::Plan;
use scheduler::world::{At, Demand, DemandId, Departed, Holding, RentalId, Rules, Snapshot, Want};

/// The world after the plan was applied at its instant, nothing else having changed.
pub fn applied(world: &World, plan: &Plan, rules: &Rules) -> World {
    let mut world = world.clone();
    let released: Vec<RentalId> = plan.releases.iter().map(|release| release.rental).collect();
    world.snapshot.holdings.retain(|holding| !released.contains(&holding.rental));
    for eviction in &plan.evictions {
        let holding = world.snapshot.holdings.iter_mut().find(|holding| holding.rental == eviction.rental);
        holding.expect("an eviction is of a holding").notice_until = Some(eviction.notice_until);
    }
    let now = plan.at;
    world.snapshot.holdings.retain(|holding| holding.notice_until.is_none_or(|until| until > now));
    for grant in &plan.grants {
        let running = world
            .snapshot
            .holdings
            .iter_mut()
            .find(|holding| grant.continues && holding.demand == grant.demand && holding.notice_until.is_none());
        if let Some(running) = running {
            running.price = grant.price;
            continue;
        }
        let rental = match grant.demand {
            DemandId::OnDemand(rental) => rental,
            _ => RentalId::from_uuid(super::uuid(world.fresh())),
        };
        let owner = world.snapshot.demands.iter().find(|demand| demand.id() == grant.demand).expect("listed").owner;
        world.snapshot.holdings.push(Holding {
            demand: grant.demand,
            rental,
            owner,
            node: grant.node,
            class: grant.class.clone(),
            devices: grant.devices.clone(),
            since: now,
            usable_at: Some(now.saturating_add(rules.restart)),
            price: grant.price,
            notice_until: None,
            protected_until: now.saturating_add(rules.min_run),
        });
    }
    let let_out: Vec<DemandId> = world.snapshot.holdings.iter().map(|holding| holding.demand).collect();
    world
        .snapshot
        .demands
        .retain(|demand| !matches!(demand.id(), DemandId::OnDemand(_)) || !let_out.contains(&demand.id()));
    world.snapshot.promised = plan.awaiting.clone();
    keep_books(&mut world.snapshot, plan);
    world
}

/// Fairness as the plan hands it on.
fn keep_books(snapshot: &mut Snapshot, plan: &Plan) {
    for standing in &plan.fairness {
        let listed = snapshot.demands.iter_mut().find_map(|demand| match &mut demand.want {
            Want::Job(job) if job.job == standing.job => Some(job),
            _ => None,
        });
        if let Some(job) = listed {
            job.done = standing.done;
            job.reference = standing.reference;
            job.advanced_at = standing.advanced_at;
            job.fairness = standing.state.clone();
        }
        let departed = snapshot.departed.iter_mut().find(|departed| departed.job == standing.job);
        if let Some(departed) = departed {
            departed.advanced_at = standing.advanced_at;
            departed.fairness = standing.state.clone();
        }
    }
    let settled = plan.fairness.iter().filter(|standing| standing.settled).map(|standing| standing.job);
    let settled: Vec<_> = settled.collect();
    snapshot.departed.retain(|departed| !settled.contains(&departed.job));
}

/// The world at a later instant: notices that ran out stay listed until a plan releases them.
pub fn later(world: &mut World, now: At) {
    world.snapshot.at = now;
    world.snapshot.number += 1;
}

/// Takes a demand out of the world, with whatever it holds; a job that is ahead of its share is remembered.
pub fn close(world: &mut World, demand: DemandId) {
    let listed: Option<Demand> = world.snapshot.demands.iter().find(|listed| listed.id() == demand).cloned();
    world.snapshot.demands.retain(|listed| listed.id() != demand);
    world.snapshot.holdings.retain(|holding| holding.demand != demand);
    let Some(Want::Job(job)) = listed.map(|listed| listed.want) else { return };
    if job.fairness.weight_milli > 0 {
        world.snapshot.departed.push(Departed { job: job.job, advanced_at: job.advanced_at, fairness: job.fairness });
    }
}
