//! One round, from snapshot to plan: the whole algorithm on one screen.

use crate::clearing::uniform_price;
use crate::clearing::{Offer, Proposal, Shares, policy};
use crate::fairness::deadline::QUANTUM;
use crate::fairness::reference::service;
use crate::fairness::{self, Assessment, Member};
use crate::gang::foresight::settle;
use crate::gang::limits::owned;
use crate::gang::queue::{can_pay, line_up, promised_share};
use crate::placement::board::{Board, Seat};
use crate::placement::newcomers::Newcomers;
use crate::plan::{Plan, Standing, writing};
use crate::world::{At, DemandId, Floors, Holding, PriceRule, Rules, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Decides a round once: who runs where from `now` on, at which price, and why. `world` is in canonical order.
///
/// [`crate::plan`] decides again in the world that this would leave behind, until a decision stands.
#[must_use]
pub(crate) fn decide(world: &Snapshot, rules: &Rules, now: At, seed: u64, newcomers: Newcomers) -> Plan {
    let _ = seed;

    // 1. Supply: what this round can give out, by node and class, and who stands where.
    let board = Board::new(world, rules, now, newcomers);

    // 2. Entitlement: every job's accounts brought forward, the reference it is measured by, and what it is owed.
    let fair = assess(&board);

    // 3. Claims: the posted price, then the jobs' part as deadlines and the pool's share policy have it, then the market
    //    by limit, then the idle rest in the policy's order.
    let shares = shares(&board, &fair);
    let proposal = keeping(&board, &shares, policy(rules.share_policy).propose(&shares));
    let claims = |board: &Board<'_>, buyers: &BTreeSet<usize>| line_up(board, &fair, buyers, &proposal);

    // 4. Gangs: each claim in turn gets a whole gang's seat, or nothing. Who runs keeps its seat unless a stronger claim
    //    needs it, and then leaves with notice.
    let seating = settle(&board, &fair, movers(&shares, &proposal), claims);

    // 5. Prices: one per class, from who won and who lost.
    let prices = match rules.price_rule {
        PriceRule::UniformPrice => uniform_price::prices(&seating),
    };

    // 6. Plan: grants, notices, fairness handed to the next round, and one explanation for each demand.
    let plan = writing::write(&seating, &fair, &prices, &proposal.targets);
    Plan { exchange: proposal.exchange.clone(), ..plan }
}

/// Everybody's standing at `now`, between rounds: accounts brought forward, and shares of those who are still there. Nothing is
/// decided.
#[must_use]
pub(crate) fn meanwhile(world: &Snapshot, rules: &Rules, now: At) -> Vec<Standing> {
    let world = world.clone().canonical();
    let fair = assess(&Board::new(&world, rules, now, Newcomers::Stay));
    fair.members.iter().map(|member| member.undecided(rules, now)).chain(fair.departed.iter().cloned()).collect()
}

/// The fair-share side of a round.
pub(crate) fn assess<'a>(board: &Board<'a>) -> Assessment<'a> {
    // What a gang did in the last part of its notice counts, though its devices are given out again.
    let left = board.released.iter().map(|holding| &board.world.holdings[*holding]);
    let left: BTreeMap<DemandId, &Holding> = left.map(|holding| (holding.demand, holding)).collect();
    let holding =
        |demand: usize| board.holding_of(demand).or_else(|| left.get(&board.world.demands[demand].id()).copied());
    let active = |job: &crate::world::Job| can_pay(board, job);
    fairness::assess(board.world, board.capacity(), holding, active, board.rules, board.now)
}

/// What the share policy looks at.
fn shares<'a>(board: &'a Board<'a>, fair: &'a Assessment<'a>) -> Shares<'a> {
    let speeds = fair.members.iter().map(|member| {
        let runnable = member.job.speeds.iter().filter(|speed| speed.milliunits_per_second > 0);
        runnable.filter_map(|speed| Some((board.ordinal(&speed.class)?, speed.milliunits_per_second))).collect()
    });
    let runs_on = fair.members.iter().map(|member| match board.seats[member.demand] {
        Seat::Runs { bucket, .. } => Some(board.buckets[bucket].class),
        Seat::None | Seat::Held { .. } | Seat::Leaves { .. } => None,
    });
    let runs = |member: &Member<'_>| matches!(board.seats[member.demand], Seat::Runs { .. });
    let kept = fair.members.iter().map(|member| match board.seats[member.demand] {
        Seat::Runs { bucket, .. } => {
            member.serves_a_quantum(board.rules, board.now).then_some(board.buckets[bucket].class)
        }
        _ if !member.active => None,
        _ => promised_share(board, member.demand).and_then(|class| board.ordinal(class)),
    });
    let fixed = fair.members.iter().map(|member| {
        let holding = board.holding_of(member.demand).filter(|_| runs(member));
        holding.is_some_and(|holding| holding.protected_until > board.now)
    });
    let awaits = fair.members.iter().map(|member| {
        let bucket = board.promised.get(&member.demand)?;
        Some(board.buckets[*bucket].class)
    });
    let capacity = board.classes.iter().map(|class| i64::from(fair.capacity.devices(class)));
    let capacity: Vec<i64> = capacity.collect();
    Shares {
        members: &fair.members,
        speeds: speeds.collect(),
        runs_on: runs_on.collect(),
        kept: kept.collect(),
        fixed: fixed.collect(),
        awaits: awaits.collect(),
        classes: &board.classes,
        owned: owned(&capacity, board.rules),
        capacity,
        board,
        rules: board.rules,
        now: board.now,
    }
}

/// The proposal with the gangs first that stay in any case, where they are: before all those that go on, since they do so even
/// where the jobs own less than they did, and leave no room then for one that has to start anew. A place that was promised
/// stands before that as well, as where floors are served by deadline.
fn keeping(board: &Board<'_>, shares: &Shares<'_>, proposal: Proposal) -> Proposal {
    let kept = shares.kept.iter().enumerate();
    let kept = kept.filter_map(|(member, class)| Some(Offer { member, class: (*class)? }));
    let mut kept: Vec<Offer> = kept.collect();
    kept.sort_by_key(|offer| {
        let demand = shares.members[offer.member].demand;
        (!board.may_go_on(demand), shares.runs_on[offer.member].is_some())
    });
    let can_go = |offer: &Offer| !shares.fixed[offer.member] || shares.runs_on[offer.member] == Some(offer.class);
    let others = proposal.gangs.iter().copied().filter(|offer| shares.kept[offer.member].is_none() && can_go(offer));
    Proposal { gangs: kept.into_iter().chain(others).collect(), ..proposal }
}

/// Jobs that run on another class than the one their policy wants them on, or where floors are served by deadline those
/// that are owed a quantum and more on a class that is too slow for their share.
fn movers(shares: &Shares<'_>, proposal: &Proposal) -> BTreeSet<usize> {
    if shares.rules.floors() == Floors::Deadlines {
        let members = shares.members.iter().enumerate().filter(|(at, member)| {
            let class = shares.runs_on[*at].map(|class| shares.classes[class]);
            let service = class.map(|class| service(member.job, class, member.reference));
            let falls_behind = service.is_some_and(|service| service < member.reference.share);
            falls_behind && shares.kept[*at].is_none() && !shares.fixed[*at] && member.account.state.credit >= QUANTUM
        });
        return members.map(|(_, member)| member.demand).collect();
    }
    let elsewhere = |offer: &&Offer| shares.runs_on[offer.member].is_some_and(|class| class != offer.class);
    proposal.gangs.iter().filter(elsewhere).map(|offer| shares.members[offer.member].demand).collect()
}
