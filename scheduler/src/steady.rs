//! Plans that stand: decided again until deciding again changes nothing.
//!
//! A round serves claims in order, and a gang that is sent away, or finds a place, changes what others would have
//! done. [`plan`] therefore looks at the world that a decision would leave behind and decides there as well, until it
//! comes to a world that it has seen before. Mostly that is the very next one: the decision stands. Where decisions
//! chase each other in a circle, one world of the circle is chosen by a rule that does not depend on where the circle was
//! entered. Either way the plan leads to a world from which planning at the same instant leads to the same world: a
//! plan made from its own result changes nothing, by construction. What is looked ahead to has not happened: a gang that is
//! let in on the way and not let in again never appears, and what was let in at this very instant is decided on as when it
//! was let in: what is let at the posted price is still divided, and a gang has no seat, no quota and no devices before its
//! own turn ([`crate::placement`]). Who really was let in at this instant, because a plan for it has been applied, stays: where
//! something else has happened since that would send it away, the round is decided once, and it keeps what it has.

use crate::explain::Explanation;
use crate::placement::newcomers::{Newcomers, has_come};
use crate::plan::{ClassPrice, Eviction, EvictionCause, Grant, Plan, Standing, Why};
use crate::round::decide;
use crate::world::{At, ClassId, Demand, DemandId, DeviceId, Holding, JobId, NodeId, RentalId, Rules, Snapshot, Want};
use std::collections::BTreeMap;

/// How often a round is decided. One decision and its confirmation do almost always; the last outcome is valid in any
/// case.
const MOST_DECISIONS: usize = 8;

/// Plans a round: who runs where from `now` on, at which price, and why.
///
/// Pure: the same arguments give the same plan on every machine, in whatever order the snapshot lists its parts. `seed`
/// is what lots would be drawn from; no present rule draws any, ties go to who came first.
#[must_use]
pub fn plan(snapshot: &Snapshot, rules: &Rules, now: At, seed: u64) -> Plan {
    let mut worlds = vec![snapshot.clone().canonical()];
    let stands = decided(&mut worlds, rules, now, seed);
    // Who was let in at this very instant, by a plan that the world has overtaken since, cannot be sent away again.
    stands.unwrap_or_else(|| decide(&worlds[0], rules, now, seed, Newcomers::Stay))
}

/// The decision that stands, from the one world in `worlds` on, which it goes on with; `None` if it takes from a gang what it was
/// really given at this very instant.
fn decided(worlds: &mut Vec<Snapshot>, rules: &Rules, now: At, seed: u64) -> Option<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    loop {
        let here = &worlds[worlds.len() - 1];
        let plan = decide(here, rules, now, seed, Newcomers::Anew);
        let next = foresee(&worlds[0], here, &plan, rules, Newcomers::Anew);
        plans.push(plan);
        if let Some(entry) = worlds.iter().position(|seen| *seen == next) {
            let chosen = (entry..worlds.len()).min_by_key(|at| occupation(&worlds[*at])).unwrap_or(entry);
            // Who arrives at the chosen world comes from the one before it in the circle.
            let before = if chosen == entry { plans.len() - 1 } else { chosen - 1 };
            return told(&worlds[0], &worlds[chosen], plans, before);
        }
        worlds.push(next);
        if plans.len() == MOST_DECISIONS {
            let last = plans.len() - 1;
            return told(&worlds[0], &worlds[worlds.len() - 1], plans, last);
        }
    }
}

/// The world as a plan leaves it at its instant, were it applied as it is: gangs that are let in hold their devices and
/// are not usable yet. What a store does with a plan, for whoever has none.
#[must_use]
pub fn after(snapshot: &Snapshot, rules: &Rules, plan: &Plan) -> Snapshot {
    let world = snapshot.clone().canonical();
    foresee(&world, &world, plan, rules, Newcomers::Stay)
}

/// A gang that holds devices.
type Held<'a> = (DemandId, &'a [DeviceId], Option<At>);
/// A gang that waits for some.
type Waits<'a> = (DemandId, NodeId, &'a ClassId, Why, At);

/// Who holds what and who waits for what: the key by which one world of a circle is chosen. Worlds that differ in
/// promises only must not be equals, or the first that was entered would win.
fn occupation(world: &Snapshot) -> (Vec<Held<'_>>, Vec<Waits<'_>>) {
    let holdings = world.holdings.iter();
    let mut held: Vec<_> =
        holdings.map(|holding| (holding.demand, &holding.devices[..], holding.notice_until)).collect();
    held.sort_unstable();
    let promised = world.promised.iter();
    let mut waits: Vec<_> = promised.map(|seat| (seat.demand, seat.node, &seat.class, seat.why, seat.until)).collect();
    waits.sort_unstable();
    (held, waits)
}

/// The world as a plan leaves it, at the same instant. `first` is the one that really is. Where newcomers are decided on again they
/// hold what the plan gives them, if anything.
fn foresee(first: &Snapshot, world: &Snapshot, plan: &Plan, rules: &Rules, newcomers: Newcomers) -> Snapshot {
    let mut next = world.clone();
    let released: Vec<RentalId> = plan.releases.iter().map(|release| release.rental).collect();
    next.holdings.retain(|holding| released.binary_search(&holding.rental).is_err());
    give_notice(first, &mut next, plan);
    if newcomers == Newcomers::Anew {
        next.holdings
            .retain(|holding| !has_come(holding, plan.at) || !is_listed(world, holding) || goes_on(plan, holding));
    }
    let place = staying(&next.holdings);
    let really = staying(&first.holdings);
    let at = |place: &[(DemandId, usize)], demand: DemandId| {
        place.binary_search_by_key(&demand, |(demand, _)| *demand).ok().map(|found| place[found].1)
    };
    for grant in &plan.grants {
        match at(&place, grant.demand).filter(|_| grant.continues) {
            Some(index) => next.holdings[index].price = grant.price,
            None => {
                let held = at(&really, grant.demand).map(|index| &first.holdings[index]);
                next.holdings.extend(begun(held, world, grant, plan.at, rules));
            }
        }
    }
    next.holdings.sort_by_key(|holding| holding.rental);
    let let_in = |demand: DemandId| matches!(demand, DemandId::OnDemand(_)) && grant_of(plan, demand).is_some();
    next.demands.retain(|demand| !let_in(demand.id()));
    next.promised.clone_from(&plan.awaiting);
    keep_accounts(&mut next, plan);
    next
}

/// Whether somebody still wants what is held.
fn is_listed(world: &Snapshot, holding: &Holding) -> bool {
    world.demands.binary_search_by_key(&holding.demand, Demand::id).is_ok()
}

/// Whether a plan lets a gang go on where it stands.
fn goes_on(plan: &Plan, holding: &Holding) -> bool {
    grant_of(plan, holding.demand).is_some_and(|grant| grant.continues)
}

/// What a plan gives to a demand; grants are in order of demand.
fn grant_of(plan: &Plan, demand: DemandId) -> Option<&Grant> {
    plan.grants.binary_search_by_key(&demand, |grant| grant.demand).ok().map(|index| &plan.grants[index])
}

/// Whoever leaves keeps running until its notice ends; who was let in on the way and leaves again has nothing to run on.
fn give_notice(first: &Snapshot, next: &mut Snapshot, plan: &Plan) {
    for eviction in &plan.evictions {
        if original(first, eviction.rental).is_none() {
            next.holdings.retain(|holding| holding.rental != eviction.rental);
        } else if let Ok(index) = next.holdings.binary_search_by_key(&eviction.rental, |holding| holding.rental) {
            next.holdings[index].notice_until = Some(eviction.notice_until);
        }
    }
    next.holdings.retain(|holding| holding.notice_until.is_none_or(|until| until > plan.at));
}

/// Gangs that are not under notice and their places among the holdings, in order of demand.
fn staying(holdings: &[Holding]) -> Vec<(DemandId, usize)> {
    let staying = holdings.iter().enumerate().filter(|(_, holding)| holding.notice_until.is_none());
    let mut staying: Vec<(DemandId, usize)> = staying.map(|(index, holding)| (holding.demand, index)).collect();
    staying.sort_unstable();
    staying
}

/// What a grant puts into the tenant's hands. Who gets back what it really holds, `held`, has never lost it.
fn begun(held: Option<&Holding>, world: &Snapshot, grant: &Grant, now: At, rules: &Rules) -> Option<Holding> {
    let demand = world.demands.binary_search_by_key(&grant.demand, Demand::id).ok()?;
    let owner = world.demands[demand].owner;
    if let Some(holding) = held.filter(|holding| holding.devices == grant.devices) {
        return Some(Holding { price: grant.price, ..holding.clone() });
    }
    Some(Holding {
        demand: grant.demand,
        rental: RentalId::from_uuid(match grant.demand {
            DemandId::OnDemand(rental) => rental.uuid(),
            DemandId::Bid(bid) => bid.uuid(),
            DemandId::Job(job) => job.uuid(),
        }),
        owner,
        node: grant.node,
        class: grant.class.clone(),
        devices: grant.devices.clone(),
        since: now,
        usable_at: None,
        price: grant.price,
        notice_until: None,
        protected_until: now.saturating_add(rules.min_run),
    })
}

fn keep_accounts(next: &mut Snapshot, plan: &Plan) {
    let standings: BTreeMap<JobId, &Standing> = plan.fairness.iter().map(|standing| (standing.job, standing)).collect();
    for demand in &mut next.demands {
        let Want::Job(job) = &mut demand.want else { continue };
        let Some(standing) = standings.get(&job.job) else { continue };
        (job.done, job.reference) = (standing.done, standing.reference);
        job.advanced_at = standing.advanced_at;
        job.fairness = standing.state.clone();
    }
    for departed in &mut next.departed {
        let Some(standing) = standings.get(&departed.job) else { continue };
        departed.advanced_at = standing.advanced_at;
        departed.fairness = standing.state.clone();
    }
    next.departed.retain(|departed| standings.get(&departed.job).is_none_or(|standing| !standing.settled));
}

/// A holding of the world that really is; holdings are in order of rental.
fn original(first: &Snapshot, rental: RentalId) -> Option<&Holding> {
    first.holdings.binary_search_by_key(&rental, |holding| holding.rental).ok().map(|index| &first.holdings[index])
}

/// The plan that leads from the world that is to the one arrived at, as decided by the last of `plans` up to `last`. `None` if it
/// takes from a gang what it was really given at this very instant.
fn told(first: &Snapshot, arrived: &Snapshot, mut plans: Vec<Plan>, last: usize) -> Option<Plan> {
    plans.truncate(last + 1);
    if !is_whole(first, arrived, plans[last].at) {
        return None;
    }
    let mut plan = plans[last].clone();
    plan.releases.clone_from(&plans[0].releases);
    plan.evictions = evictions(first, arrived, &plans);
    plan.grants = grants(first, arrived, &plans, plan.grants);
    plan.prices = prices(&plans[0], &plan);
    plan.explanations = explanations(&plans);
    plan.fairness = standings(&plans);
    Some(plan)
}

/// Whether everybody keeps what it was really given at this very instant: nobody is let in and sent away at once.
fn is_whole(first: &Snapshot, arrived: &Snapshot, now: At) -> bool {
    let mut come = first.holdings.iter().filter(|holding| has_come(holding, now));
    come.all(|holding| original(arrived, holding.rental).is_some_and(|kept| kept.notice_until.is_none()))
}

/// Everybody's last standing: a departed job is told of until it is settled.
fn standings(plans: &[Plan]) -> Vec<Standing> {
    let told = plans.iter().flat_map(|plan| &plan.fairness);
    let told: BTreeMap<JobId, &Standing> = told.map(|standing| (standing.job, standing)).collect();
    told.into_values().cloned().collect()
}

fn evictions(first: &Snapshot, arrived: &Snapshot, plans: &[Plan]) -> Vec<Eviction> {
    let told = plans.iter().rev().flat_map(|plan| &plan.evictions);
    let causes: BTreeMap<RentalId, EvictionCause> = told.map(|told| (told.rental, told.because)).collect();
    let told = plans.iter().flat_map(|plan| &plan.evictions);
    let mut evictions: BTreeMap<RentalId, Eviction> = BTreeMap::new();
    for eviction in told.filter(|eviction| original(first, eviction.rental).is_some()) {
        let stays = original(arrived, eviction.rental).is_some_and(|holding| holding.notice_until.is_none());
        if !stays {
            let because = causes.get(&eviction.rental).copied().unwrap_or(eviction.because);
            evictions.insert(eviction.rental, Eviction { because, ..eviction.clone() });
        }
    }
    evictions.into_values().collect()
}

/// The grants of the last decision, told for the world that is, with what was let at the posted price on the way.
fn grants(first: &Snapshot, arrived: &Snapshot, plans: &[Plan], decided: Vec<Grant>) -> Vec<Grant> {
    let really: BTreeMap<DemandId, &Holding> = first
        .holdings
        .iter()
        .filter(|holding| holding.notice_until.is_none())
        .map(|holding| (holding.demand, holding))
        .collect();
    let goes_on = |grant: &Grant| really.get(&grant.demand).is_some_and(|holding| holding.devices == grant.devices);
    let mut grants: BTreeMap<DemandId, Grant> = BTreeMap::new();
    for grant in plans.iter().flat_map(|plan| &plan.grants).filter(|grant| grant.why == Why::OnDemand) {
        let DemandId::OnDemand(rental) = grant.demand else { continue };
        if original(arrived, rental).is_some_and(|holding| holding.demand == grant.demand) {
            grants.insert(grant.demand, grant.clone());
        }
    }
    let decided = decided.into_iter().map(|grant| Grant { continues: goes_on(&grant), ..grant });
    grants.extend(decided.map(|grant| (grant.demand, grant)));
    grants.into_values().collect()
}

/// The prices of the last decision; supply and demand are those of the world that is.
fn prices(before: &Plan, plan: &Plan) -> Vec<ClassPrice> {
    let rows = plan.prices.iter().zip(&before.prices).map(|(row, first)| {
        let here = plan.grants.iter().filter(|grant| grant.class == row.class && grant.why == Why::OnDemand);
        let posted: usize = here.map(|grant| grant.devices.len()).sum();
        let granted = row.granted.saturating_add(i32::try_from(posted).unwrap_or(i32::MAX));
        ClassPrice { supply: first.supply, demanded: first.demanded, granted, ..row.clone() }
    });
    rows.collect()
}

/// One explanation for each demand: the last one that was given.
fn explanations(plans: &[Plan]) -> Vec<Explanation> {
    let told = plans.iter().flat_map(|plan| &plan.explanations);
    let told: BTreeMap<DemandId, &Explanation> = told.map(|told| (told.demand, told)).collect();
    told.into_values().cloned().collect()
}
