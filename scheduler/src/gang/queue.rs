//! The order of claims on a round's devices: the posted price, the fair share, the market, and what is idle.
//!
//! Inside the first, who came first; inside the second, what was decided before and is not over, then the earliest
//! pseudo-deadline, or the order of the share policy where it decides alone; inside the third, the highest limit, then who
//! came first; inside the last, the order of the share policy.

use super::claim::{Choice, Claim};
use crate::clearing::{Offer, Proposal};
use crate::fairness::deadline::Window;
use crate::fairness::{Assessment, Member};
use crate::placement::board::{Board, Seat};
use crate::plan::Why;
use crate::world::{At, Bid, ClassId, DemandId, Floors, Job, Millis, OnDemand, PricePerHour, Rules, Want};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Costs of a job's classes are times: this over the speed there.
const WORK: i64 = 1_000_000_000_000_000;

/// All claims of the round, strongest first. `buyers` are the jobs that go to the market: those that would otherwise
/// have nothing.
#[must_use]
pub fn line_up(board: &Board<'_>, fair: &Assessment<'_>, buyers: &BTreeSet<usize>, proposal: &Proposal) -> Vec<Claim> {
    let mut queue = posted(board);
    match board.rules.floors() {
        Floors::Deadlines => queue.extend(owed(board, fair)),
        Floors::Nothing => {
            queue.extend(proposal.gangs.iter().filter_map(|offer| offered(board, fair, offer, Why::Entitled)));
        }
    }
    queue.extend(market(board, fair, buyers));
    queue.extend(proposal.idle.iter().filter_map(|offer| offered(board, fair, offer, Why::Idle)));
    queue
}

/// Whether a bid's funds cover a round at its limit: it never pays more.
#[must_use]
pub fn is_funded(bid: &Bid, rules: &Rules) -> bool {
    bid.limit.cost(bid.gang, rules.round).is_ok_and(|cost| cost <= bid.funds)
}

/// Whether a job can pay for a quantum at the entitlement price of some class it could run on.
#[must_use]
pub fn can_pay(board: &Board<'_>, job: &Job) -> bool {
    let classes = job.speeds.iter().filter(|speed| speed.milliunits_per_second > 0);
    let prices = classes.filter_map(|speed| {
        let class = board.ordinal(&speed.class)?;
        Some(entitlement_price(board, class, board.least_floor(class)?))
    });
    prices.min().is_none_or(|least| entitled_ceiling(board.rules, job) >= least)
}

/// What the entitled part of a job pays on a bucket with this floor: what the pool posts, and never less than the floor.
#[must_use]
pub fn entitlement_price(board: &Board<'_>, class: usize, floor: i64) -> i64 {
    let classes = &board.world.classes;
    let listed = classes.binary_search_by(|listed| listed.id.cmp(board.classes[class])).ok();
    let posted = listed.and_then(|index| classes[index].entitlement_price);
    posted.map_or(floor, |posted| posted.micros().max(floor))
}

fn posted(board: &Board<'_>) -> Vec<Claim> {
    let mut claims: Vec<(At, DemandId, Claim)> = Vec::new();
    for (demand, listed) in board.world.demands.iter().enumerate() {
        if let Want::OnDemand(claim) = &listed.want {
            claims.extend(posted_claim(board, demand, claim).map(|claim| (listed.arrived_at, listed.id(), claim)));
        }
    }
    claims.sort_by_key(|(at, id, _)| (*at, *id));
    claims.into_iter().map(|(_, _, claim)| claim).collect()
}

fn posted_claim(board: &Board<'_>, demand: usize, claim: &OnDemand) -> Option<Claim> {
    let choices = vec![Choice { class: board.ordinal(&claim.class)?, cost: Some(0) }];
    let gang = gang(claim.gang)?;
    Some(Claim {
        demand,
        right: Why::OnDemand,
        gang,
        ceiling: i64::MAX,
        choices,
        node: Some(claim.node),
        home: None,
        as_promised: false,
    })
}

/// When an owed quantum has its turn. What was decided once stands until it is over: of gangs that run and gangs that wait for
/// a notice alike, and before all that is decided now. So a round that is decided again finds whom it served itself first in the
/// line, and nobody new is served in their stead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// It has begun, and is served to its end where it is.
    Begun,
    /// Its place was promised to it.
    Promised,
    /// It has begun where it cannot go on.
    BegunElsewhere,
    /// It is due.
    Due(Window),
}

fn owed(board: &Board<'_>, fair: &Assessment<'_>) -> Vec<Claim> {
    let mut due: Vec<(Turn, bool, At, DemandId, Claim)> = Vec::new();
    for member in &fair.members {
        let Some(gang) = gang(member.job.gang) else { continue };
        let waits = !matches!(board.seats[member.demand], Seat::Runs { .. });
        for turn in turns(board, member) {
            let claim = Claim {
                demand: member.demand,
                right: Why::Entitled,
                gang,
                ceiling: entitled_ceiling(board.rules, member.job),
                choices: by_speed(board, member.job),
                node: None,
                home: None,
                as_promised: turn == Turn::Promised,
            };
            due.push((turn, waits, member.arrived_at, DemandId::Job(member.id()), claim));
        }
    }
    due.sort_by_key(|(turn, waits, at, id, _)| (*turn, *waits, *at, *id));
    due.into_iter().map(|(.., claim)| claim).collect()
}

/// The turns of a job's next quantum. Where a promised place is gone it waits for its window like all others.
fn turns(board: &Board<'_>, member: &Member<'_>) -> Vec<Turn> {
    let runs = matches!(board.seats[member.demand], Seat::Runs { .. });
    if runs && member.serves_a_quantum(board.rules, board.now) {
        return vec![if board.may_go_on(member.demand) { Turn::Begun } else { Turn::BegunElsewhere }];
    }
    let Some(window) = member.window() else { return Vec::new() };
    let promised = !runs && promised_share(board, member.demand).is_some();
    promised.then_some(Turn::Promised).into_iter().chain([Turn::Due(window)]).collect()
}

/// The class of the place that an earlier decision gave to a job by right, if it still waits for it or was let in there at this very
/// instant.
#[must_use]
pub fn promised_share<'a>(board: &Board<'a>, demand: usize) -> Option<&'a ClassId> {
    if let Some(holding) = board.newcomers.get(&demand) {
        // One that was sent away at this instant from a place by right, and found another by luck, is in no quantum.
        let in_quantum = |job: &Job| job.fairness.service > 0 && job.fairness.quantum_until.is_some();
        let by_right = matches!(&board.world.demands[demand].want, Want::Job(job) if in_quantum(job));
        return by_right.then_some(&board.world.holdings[*holding].class);
    }
    let (id, promised) = (board.world.demands[demand].id(), &board.world.promised);
    let place = promised.binary_search_by_key(&id, |promise| promise.demand).ok()?;
    Some(&promised[place]).filter(|promise| promise.why == Why::Entitled).map(|promise| &promise.class)
}

fn market(board: &Board<'_>, fair: &Assessment<'_>, buyers: &BTreeSet<usize>) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for (demand, listed) in board.world.demands.iter().enumerate() {
        if let Want::Bid(bid) = &listed.want {
            claims.extend(bid_claim(board, demand, bid).filter(|_| is_funded(bid, board.rules)));
        }
    }
    let buying = fair.members.iter().filter(|member| member.active && buyers.contains(&member.demand));
    claims.extend(buying.filter_map(|member| job_bid(board, member)));
    claims.sort_by_key(|claim| {
        let demand = &board.world.demands[claim.demand];
        (Reverse(claim.ceiling), demand.arrived_at, demand.id())
    });
    claims
}

fn bid_claim(board: &Board<'_>, demand: usize, bid: &Bid) -> Option<Claim> {
    let choices: Vec<Choice> =
        bid.classes.iter().filter_map(|class| board.ordinal(class)).map(|class| Choice { class, cost: None }).collect();
    let ceiling = bid.limit.min(board.rules.limit_cap).micros();
    Some(Claim {
        demand,
        right: Why::Market,
        gang: gang(bid.gang)?,
        ceiling,
        choices,
        node: None,
        home: None,
        as_promised: false,
    })
}

/// A job buys beyond its share on the class where it runs, or else where its budget goes farthest, and bids what lets it
/// finish there.
fn job_bid(board: &Board<'_>, member: &Member<'_>) -> Option<Claim> {
    let (demand, job) = (member.demand, member.job);
    let runs_on = match board.seats[demand] {
        Seat::Runs { bucket, .. } => Some(board.classes[board.buckets[bucket].class]),
        Seat::None | Seat::Held { .. } | Seat::Leaves { .. } => None,
    };
    let runnable = job.speeds.iter().filter(|speed| speed.milliunits_per_second > 0);
    let here = runnable.clone().find(|speed| Some(&speed.class) == runs_on);
    let best = here.or_else(|| runnable.max_by_key(|speed| (speed.milliunits_per_second, Reverse(&speed.class))))?;
    let class = board.ordinal(&best.class)?;
    let remaining = job.work.saturating_sub(member.account.done).max(0);
    let millis = i128::from(remaining) * 1000 / i128::from(best.milliunits_per_second);
    let left = Millis::new(i64::try_from(millis).unwrap_or(i64::MAX)).max(board.rules.quantum());
    let limit = PricePerHour::affordable(job.budget_left, job.gang, left)?;
    let ceiling = limit.min(board.rules.limit_cap).micros();
    let choices = vec![Choice { class, cost: None }];
    Some(Claim {
        demand,
        right: Why::Market,
        gang: gang(job.gang)?,
        ceiling,
        choices,
        node: None,
        home: None,
        as_promised: false,
    })
}

/// A job on one class, as its policy offers it.
fn offered(board: &Board<'_>, fair: &Assessment<'_>, offer: &Offer, right: Why) -> Option<Claim> {
    let member = fair.members.get(offer.member).filter(|member| member.active)?;
    let choices = by_speed(board, member.job).into_iter().filter(|choice| choice.class == offer.class).collect();
    let ceiling = entitled_ceiling(board.rules, member.job);
    Some(Claim {
        demand: member.demand,
        right,
        gang: gang(member.job.gang)?,
        ceiling,
        choices,
        node: None,
        home: None,
        as_promised: false,
    })
}

/// The classes that each job can run on, fastest first, by demand.
#[must_use]
pub fn speeds(board: &Board<'_>, fair: &Assessment<'_>) -> BTreeMap<usize, Vec<Choice>> {
    fair.members.iter().map(|member| (member.demand, by_speed(board, member.job))).collect()
}

/// The highest price at which the budget still pays for a whole quantum.
fn entitled_ceiling(rules: &Rules, job: &Job) -> i64 {
    PricePerHour::affordable(job.budget_left, job.gang, rules.quantum()).map_or(0, PricePerHour::micros)
}

/// The classes a job can run on, fastest first.
fn by_speed(board: &Board<'_>, job: &Job) -> Vec<Choice> {
    let runnable = job.speeds.iter().filter(|speed| speed.milliunits_per_second > 0);
    let costs = runnable.filter_map(|speed| {
        let class = board.ordinal(&speed.class)?;
        Some(Choice { class, cost: Some(WORK / speed.milliunits_per_second) })
    });
    let mut choices: Vec<Choice> = costs.collect();
    choices.sort_by_key(|choice| (choice.cost, choice.class));
    choices
}

fn gang(devices: i32) -> Option<usize> {
    usize::try_from(devices).ok().filter(|gang| *gang > 0)
}
