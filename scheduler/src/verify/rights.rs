//! Rights: who may be sent away, who goes before whom, and how much each side may take.

use super::Violation;
use super::case::Case;
use crate::plan::{EvictionCause, Grant, Why};
use crate::world::{ClassId, Demand, DemandId, Floors, Job, JobId, RentalId, Want};
use std::collections::{BTreeMap, BTreeSet};

/// Trillionths: the unit of credits and shares.
const QUANTUM: i128 = 1_000_000_000_000;
/// Rounding that a sum of shares may show.
const TOLERANCE: i128 = 1_000_000;

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    check_evictions(case, found);
    check_releases(case, found);
    check_shares(case, found);
    check_quotas(case, found);
    let (winners, owed) = (Winners::new(case), Owed::new(case));
    for demand in case.snapshot.demands.iter().filter(|demand| could_be_seated(case, demand)) {
        match &demand.want {
            Want::Bid(_) => check_market_order(case, &winners, demand, found),
            Want::Job(job) => check_owed_order(case, &owed, demand, job, found),
            Want::OnDemand(_) => {}
        }
    }
}

fn check_evictions(case: &Case<'_>, found: &mut Vec<Violation>) {
    for eviction in &case.plan.evictions {
        let rental = eviction.rental;
        let holding = case.snapshot.holdings.iter().find(|holding| holding.rental == rental);
        let may_leave = holding.is_some_and(|holding| {
            holding.demand == eviction.demand
                && holding.notice_until.is_none()
                && holding.protected_until <= case.now
                && case.demands.contains_key(&holding.demand)
                && !matches!(holding.demand, DemandId::OnDemand(_))
                && (!case.is_serving(holding.demand) || leaves_anyway(eviction.because))
        });
        if !may_leave {
            found.push(Violation::MayNotLeave { rental });
        }
        if eviction.notice_until.since(case.now).get() != case.rules.notice.get().max(0) {
            found.push(Violation::WrongNotice { rental });
        }
    }
}

/// Whether a gang goes for a reason of its own or its node's, not for the sake of another claim.
fn leaves_anyway(because: EvictionCause) -> bool {
    matches!(because, EvictionCause::Withdrawn | EvictionCause::Budget | EvictionCause::Quota)
}

fn check_releases(case: &Case<'_>, found: &mut Vec<Violation>) {
    let over =
        case.snapshot.holdings.iter().filter(|holding| holding.notice_until.is_some_and(|until| until <= case.now));
    let due: BTreeSet<RentalId> = over.map(|holding| holding.rental).collect();
    let released: BTreeSet<RentalId> = case.plan.releases.iter().map(|release| release.rental).collect();
    found.extend(due.symmetric_difference(&released).map(|rental| Violation::WrongRelease { rental: *rental }));
}

/// Entitled gangs that are newly decided on stay within the jobs' part of each class, but for a part of the last gang; and so
/// do the shares.
fn check_shares(case: &Case<'_>, found: &mut Vec<Violation>) {
    let capacity = case.capacity();
    let phi = i128::from(case.rules.phi_ppm);
    let mut largest: BTreeMap<&ClassId, i64> = BTreeMap::new();
    let begun = |grant: &&Grant| grant.continues && case.is_serving(grant.demand);
    let granted = case.plan.grants.iter().filter(|grant| grant.why == Why::Entitled);
    let granted = granted.filter(|grant| !begun(grant) && !case.was_promised(grant.demand, grant.node, &grant.class));
    let granted = granted.map(|grant| (&grant.class, i64::try_from(grant.devices.len()).unwrap_or(i64::MAX)));
    let waiting = case.plan.awaiting.iter().filter(|seat| seat.why == Why::Entitled);
    let waiting = waiting.filter(|seat| !case.was_promised(seat.demand, seat.node, &seat.class));
    for (class, gang) in granted.chain(waiting.map(|seat| (&seat.class, i64::from(seat.devices)))) {
        let most = largest.entry(class).or_insert(0);
        *most = gang.max(*most);
    }
    for (class, gang) in largest {
        let owned = i128::from(capacity.get(class).copied().unwrap_or(0)) * phi;
        if i128::from(case.entitled(class) - gang) * 1_000_000 >= owned {
            found.push(Violation::BeyondShare { class: class.clone() });
        }
    }
    let owned: i128 = capacity.values().map(|devices| i128::from(*devices) * phi * (QUANTUM / 1_000_000)).sum();
    let shared: i128 = case
        .plan
        .fairness
        .iter()
        .filter_map(|standing| {
            let demand = case.demands.get(&DemandId::Job(standing.job))?;
            Some(i128::from(standing.state.share) * i128::from(demand.gang()))
        })
        .sum();
    if shared > owned + TOLERANCE {
        found.push(Violation::SharesTooLarge);
    }
}

/// After the plan nobody who was given something new holds more than its quota.
fn check_quotas(case: &Case<'_>, found: &mut Vec<Violation>) {
    for quota in &case.snapshot.quotas {
        let owner = quota.organisation;
        let owns = |demand: &DemandId| case.demands.get(demand).is_some_and(|listed| listed.owner == owner);
        let new = case.plan.grants.iter().filter(|grant| owns(&grant.demand) && !grant.continues);
        let new: usize = new.map(|grant| grant.devices.len()).sum();
        let held = case.holder.values().filter(|holding| holding.owner == owner).count();
        if new > 0 && held + new > usize::try_from(quota.devices).unwrap_or(0) {
            found.push(Violation::OverQuota { organisation: owner });
        }
    }
}

/// Whether nothing but competition keeps a demand from a seat.
fn could_be_seated(case: &Case<'_>, demand: &Demand) -> bool {
    let id = demand.id();
    let holds = case.held.contains_key(&id);
    let has_quota = !case.limited.contains(&demand.owner);
    let pays = match &demand.want {
        Want::Bid(bid) => case.is_funded(bid),
        Want::Job(_) | Want::OnDemand(_) => true,
    };
    !holds && has_quota && pays && !case.is_seated(id)
}

/// Whether a demand that pays up to `ceiling` could have stood in the place of a grant.
fn could_replace(case: &Case<'_>, demand: &Demand, ceiling: i64, grant: &Grant) -> bool {
    let large_enough = usize::try_from(demand.gang()).is_ok_and(|gang| gang <= grant.devices.len());
    let node = case.nodes.get(&grant.node).copied();
    let ask = node.and_then(|node| case.open_ask(node, &grant.class));
    let admitted = ask.is_some_and(|ask| ask.floor.micros() <= ceiling && ask.min_chunk <= demand.gang());
    large_enough
        && admitted
        && demand.accepts(&grant.class)
        && !case.is_protected(grant)
        && !case.is_serving(grant.demand)
}

/// The market's winners of each class, the weakest first: what each offered, or for a job on idle devices the price.
struct Winners<'a> {
    of_class: BTreeMap<&'a ClassId, Vec<(i64, &'a Grant)>>,
}

impl<'a> Winners<'a> {
    fn new(case: &Case<'a>) -> Self {
        let mut of_class: BTreeMap<&ClassId, Vec<(i64, &Grant)>> = BTreeMap::new();
        for grant in &case.plan.grants {
            let offered = match grant.why {
                Why::Market => case.demands.get(&grant.demand).and_then(|won| case.market_limit(won, &grant.class)),
                Why::Idle => case.price(&grant.class),
                Why::OnDemand | Why::Entitled => None,
            };
            of_class.entry(&grant.class).or_default().extend(offered.map(|offered| (offered, grant)));
        }
        of_class.values_mut().for_each(|winners| winners.sort_by_key(|(offered, grant)| (*offered, grant.demand)));
        Self { of_class }
    }
}

/// No bid is passed over for a lower limit, or for a job on idle devices, whose place it could have had at its price.
fn check_market_order(case: &Case<'_>, winners: &Winners<'_>, demand: &Demand, found: &mut Vec<Violation>) {
    let passed_over = winners.of_class.iter().find_map(|(class, winners)| {
        let limit = case.market_limit(demand, class)?;
        let weaker = winners.iter().take_while(|(offered, _)| *offered < limit);
        weaker.map(|(_, grant)| grant).find(|grant| could_replace(case, demand, limit, grant))
    });
    found.extend(passed_over.map(|grant| Violation::PassedOver { demand: demand.id(), winner: grant.demand }));
}

/// What jobs are owed, worked out once.
struct Owed<'a> {
    /// In how many quanta each job's next one is due.
    deadlines: BTreeMap<JobId, i128>,
    /// Classes of which the jobs own more than entitled gangs have.
    room: BTreeSet<&'a ClassId>,
}

impl<'a> Owed<'a> {
    fn new(case: &Case<'a>) -> Self {
        let jobs = case.snapshot.demands.iter().filter_map(|demand| match &demand.want {
            Want::Job(job) => Some((job.job, deadline(case, job)?)),
            Want::OnDemand(_) | Want::Bid(_) => None,
        });
        let phi = i128::from(case.rules.phi_ppm);
        // What is let at the posted price in this round is not the jobs' any more.
        let mut posted: BTreeMap<&ClassId, i64> = BTreeMap::new();
        for grant in case.plan.grants.iter().filter(|grant| grant.why == Why::OnDemand && !grant.continues) {
            *posted.entry(&grant.class).or_insert(0) += i64::try_from(grant.devices.len()).unwrap_or(i64::MAX);
        }
        let room = case.capacity().into_iter().filter_map(|(class, devices)| {
            let devices = devices - posted.get(class).copied().unwrap_or(0);
            let left = i128::from(devices) * phi - i128::from(case.entitled(class)) * 1_000_000;
            (left > 0).then_some(class)
        });
        Self { deadlines: jobs.collect(), room: room.collect() }
    }
}

/// No job that is owed a quantum is passed over: not for the market while its side has room left, nor for a job whose
/// quantum is due later, unless that one was promised its place by an earlier round.
fn check_owed_order(case: &Case<'_>, owed: &Owed<'_>, demand: &Demand, job: &Job, found: &mut Vec<Violation>) {
    if case.rules.floors() == Floors::Nothing {
        return;
    }
    let Some(deadline) = owed.deadlines.get(&job.job) else { return };
    let ceiling = case.quantum_limit(job.budget_left.get(), job.gang);
    let weaker = |grant: &&Grant| match (grant.why, case.demands.get(&grant.demand).map(|winner| &winner.want)) {
        (Why::Market | Why::Idle, _) => owed.room.contains(&grant.class),
        (Why::Entitled, Some(Want::Job(winner))) => {
            let comparable = winner.gang == job.gang && winner.speeds == job.speeds;
            comparable
                && !case.was_promised(grant.demand, grant.node, &grant.class)
                && owed.deadlines.get(&winner.job).is_some_and(|later| deadline < later)
        }
        _ => false,
    };
    let passed_over = case.plan.grants.iter().filter(weaker).find(|grant| {
        case.entitlement_price(&grant.class, 0) <= ceiling && could_replace(case, demand, ceiling, grant)
    });
    found.extend(passed_over.map(|grant| Violation::PassedOver { demand: demand.id(), winner: grant.demand }));
}

/// In how many quanta a job's next one is due, from the snapshot's accounts and the plan's shares; `None` if nothing is.
fn deadline(case: &Case<'_>, job: &Job) -> Option<i128> {
    let share = i128::from(case.standings.get(&job.job)?.state.share);
    let elapsed = i128::from(case.now.since(job.advanced_at).get().max(0));
    let holding = case.held.get(&DemandId::Job(job.job));
    let ran = holding.map_or(0, |holding| {
        let from = holding.since.max(job.advanced_at);
        let to = holding.notice_until.map_or(case.now, |until| until.min(case.now));
        i128::from(to.since(from).get().max(0))
    });
    let change = i128::from(job.fairness.share) * elapsed - i128::from(job.fairness.service) * ran;
    let credit = i128::from(job.fairness.credit) + change.div_euclid(i128::from(case.quantum()));
    if share <= 0 || credit + share <= TOLERANCE {
        return None;
    }
    let missing = QUANTUM - credit - TOLERANCE;
    Some((missing + share - 1).div_euclid(share))
}
