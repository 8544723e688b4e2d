//! One round, from snapshot to plan: the whole algorithm on one screen.

use crate::clearing::uniform_price;
use crate::clearing::{Shares, policy};
use crate::fairness::{self, Assessment};
use crate::gang::foresight::settle;
use crate::gang::queue::{can_pay, line_up};
use crate::placement::board::{Board, Seat};
use crate::plan::{Plan, writing};
use crate::world::{At, DemandId, Holding, PriceRule, Rules, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Decides a round once: who runs where from `now` on, at which price, and why. `world` is in canonical order.
///
/// [`crate::plan`] decides again in the world that this would leave behind, until a decision stands.
#[must_use]
pub(crate) fn decide(world: &Snapshot, rules: &Rules, now: At, seed: u64) -> Plan {
    let _ = seed;

    // 1. Supply: what this round can give out, by node and class, and who stands where.
    let board = Board::new(world, rules, now);

    // 2. Entitlement: every job's accounts brought forward, the reference it is measured by, and what it is owed.
    let fair = assess(&board);

    // 3. Claims: the posted price, then what is owed by deadline, then the market by limit, then the idle rest as the
    //    pool's share policy orders it.
    let claims = |board: &Board<'_>, buyers: &BTreeSet<usize>| {
        let idle_order = policy(rules.share_policy).order(&shares(board, &fair));
        line_up(board, &fair, buyers, &idle_order)
    };

    // 4. Gangs: each claim in turn gets a whole gang's seat, or nothing. Who runs keeps its seat unless a stronger claim
    //    needs it, and then leaves with notice.
    let seating = settle(&board, &fair, claims);

    // 5. Prices: one per class, from who won and who lost.
    let prices = match rules.price_rule {
        PriceRule::UniformPrice => uniform_price::prices(&seating),
    };

    // 6. Plan: grants, notices, fairness handed to the next round, and one explanation for each demand.
    writing::write(&seating, &fair, &prices)
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
fn shares<'a>(board: &Board<'a>, fair: &'a Assessment<'a>) -> Shares<'a> {
    let speeds = fair.members.iter().map(|member| {
        let runnable = member.job.speeds.iter().filter(|speed| speed.milliunits_per_second > 0);
        runnable.filter_map(|speed| Some((board.ordinal(&speed.class)?, speed.milliunits_per_second))).collect()
    });
    let runs_on = fair.members.iter().map(|member| match board.seats[member.demand] {
        Seat::Runs { bucket, .. } => Some(board.buckets[bucket].class),
        Seat::None | Seat::Held { .. } | Seat::Leaves { .. } => None,
    });
    let capacity = board.classes.iter().map(|class| i64::from(fair.capacity.get(*class).copied().unwrap_or(0)));
    Shares {
        members: &fair.members,
        speeds: speeds.collect(),
        runs_on: runs_on.collect(),
        capacity: capacity.collect(),
        rules: board.rules,
        now: board.now,
    }
}
