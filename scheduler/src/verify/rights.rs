//! Rights: who may be sent away, who goes before whom, and how much each side may take.

use super::Violation;
use super::case::Case;
use crate::plan::{EvictionCause, Grant, Why};
use crate::world::{ClassId, Demand, DemandId, Job, RentalId, Want};
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
    for demand in case.snapshot.demands.iter().filter(|demand| could_be_seated(case, demand)) {
        match &demand.want {
            Want::Bid(_) => check_market_order(case, demand, found),
            Want::Job(job) => check_owed_order(case, demand, job, found),
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

/// Entitled gangs stay within the jobs' part of each class, but for a part of the last gang; and so do the shares.
fn check_shares(case: &Case<'_>, found: &mut Vec<Violation>) {
    let capacity = case.capacity();
    let phi = i128::from(case.rules.phi_ppm);
    let mut largest: BTreeMap<&ClassId, i64> = BTreeMap::new();
    let granted = case.plan.grants.iter().filter(|grant| grant.why == Why::Entitled);
    let granted = granted.map(|grant| (&grant.class, i64::try_from(grant.devices.len()).unwrap_or(i64::MAX)));
    let waiting = case.plan.awaiting.iter().filter(|seat| seat.why == Why::Entitled);
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
    let holds = case.snapshot.holdings.iter().any(|holding| holding.demand == id);
    let has_quota = case.snapshot.quotas.iter().all(|quota| quota.organisation != demand.owner);
    let pays = match &demand.want {
        Want::Bid(bid) => bid.limit.cost(bid.gang, case.rules.round).is_ok_and(|cost| cost <= bid.funds),
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

/// No bid is passed over for a lower limit, whose place it could have had.
fn check_market_order(case: &Case<'_>, demand: &Demand, found: &mut Vec<Violation>) {
    let Some(limit) = case.market_limit(demand) else { return };
    for grant in case.plan.grants.iter().filter(|grant| grant.why == Why::Market) {
        let weaker =
            case.demands.get(&grant.demand).and_then(|winner| case.market_limit(winner)).is_some_and(|won| won < limit);
        if weaker && could_replace(case, demand, limit, grant) {
            found.push(Violation::PassedOver { demand: demand.id(), winner: grant.demand });
            return;
        }
    }
}

/// No job that is owed a quantum is passed over: not for the market while its side has room left, nor for a job whose
/// quantum is due later.
fn check_owed_order(case: &Case<'_>, demand: &Demand, job: &Job, found: &mut Vec<Violation>) {
    let Some(deadline) = deadline(case, job) else { return };
    let ceiling = case.quantum_limit(job.budget_left.get(), job.gang);
    let capacity = case.capacity();
    for grant in &case.plan.grants {
        let weaker = match (grant.why, case.demands.get(&grant.demand).map(|winner| &winner.want)) {
            (Why::Market | Why::Idle, _) => {
                let owned =
                    i128::from(capacity.get(&grant.class).copied().unwrap_or(0)) * i128::from(case.rules.phi_ppm);
                i128::from(case.entitled(&grant.class)) * 1_000_000 < owned
            }
            (Why::Entitled, Some(Want::Job(winner))) => {
                let comparable = winner.gang == job.gang && winner.speeds == job.speeds;
                comparable && self::deadline(case, winner).is_some_and(|later| deadline < later)
            }
            _ => false,
        };
        let entitled_floor = case.entitlement_price(&grant.class, 0);
        if weaker && entitled_floor <= ceiling && could_replace(case, demand, ceiling, grant) {
            found.push(Violation::PassedOver { demand: demand.id(), winner: grant.demand });
            return;
        }
    }
}

/// In how many quanta a job's next one is due, from the snapshot's accounts and the plan's shares; `None` if nothing is.
fn deadline(case: &Case<'_>, job: &Job) -> Option<i128> {
    let standing = case.plan.fairness.iter().find(|standing| standing.job == job.job)?;
    let share = i128::from(standing.state.share);
    let elapsed = i128::from(case.now.since(job.advanced_at).get().max(0));
    let holding = case.snapshot.holdings.iter().find(|holding| holding.demand == DemandId::Job(job.job));
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
