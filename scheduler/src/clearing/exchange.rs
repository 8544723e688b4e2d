//! An exchange: budgets of jobs, limits of bids and asks of sellers are weighed against each other in one programme
//! ([`economy`]), and jobs run for the fractions of time that they buy in it.
//!
//! A job that pays its *limit* for all its work has nothing left when it is done; it *spends at the rate* at which, at its
//! limit, it buys what its private share does. Where devices are cheaper it gets more, where bids or asks are dearer than
//! its limit less, though never less than its floor. Whole gangs follow by [`super::by_credit`], within the jobs' part.
//!
//! The programme's prices divide time; they are not the round's prices. Bids are then cleared by the pool's price rule, which
//! charges sold asks and losing limits only. They stand in the round's record, with what floors cost and how far jobs envy each
//! other, and the verifier holds them against asks, limits and budgets. Where no answer is proved, jobs get equal parts. Floors of a pool with promises
//! are served before.

pub mod economy;
mod record;

use super::by_credit::{by_credit, targets};
use super::divided_time::{divide, speeds};
use super::{Policy, Proposal, Shares, float};
use crate::gang::queue::is_funded;
use crate::solve::Step;
use crate::world::{Micros, Millis, PricePerHour, Want};
use economy::{Bidder, Buyer, Economy};

/// The part of what its private share does that a job gets in any case. Less than all of it, so that there is something to decide.
const FLOOR: f64 = 0.9;
/// Micros of a currency unit: the programme's numbers are near 1.
const UNIT: f64 = 1e6;
/// Millionths of a milliunit, in which a private share's speed is told.
const PACE: f64 = 1e6;

/// The policy `exchange`.
#[derive(Debug)]
pub struct Exchange;

impl Policy for Exchange {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let mut exchange = None;
        let bought = divide(shares, |members| {
            let economy = economy(shares, members);
            let cleared = economy.clear();
            exchange = Some(record::exchanged(shares, members, &economy, cleared.as_ref().ok()));
            cleared.map(|cleared| cleared.answer)
        });
        Proposal { exchange, ..by_credit(shares, targets(&within_their_part(shares, bought))) }
    }
}

fn economy(shares: &Shares<'_>, members: &[usize]) -> Economy {
    Economy {
        buyers: members.iter().map(|member| buyer(shares, *member)).collect(),
        bidders: bidders(shares),
        asks: (0..shares.capacity.len()).map(|class| asks(shares, class)).collect(),
    }
}

/// By member and class the fraction of time, within the jobs' part of each class: what they buy beyond it they buy on the market.
fn within_their_part(shares: &Shares<'_>, mut fractions: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut bought = vec![0.0; shares.capacity.len()];
    for (member, row) in fractions.iter().enumerate() {
        row.iter().zip(&mut bought).for_each(|(x, bought)| *bought += x * f64::from(shares.gang(member)));
    }
    for row in &mut fractions {
        for ((x, bought), owned) in row.iter_mut().zip(&bought).zip(&shares.owned) {
            *x *= (float(*owned) / bought.max(f64::MIN_POSITIVE)).min(1.0);
        }
    }
    fractions
}

fn buyer(shares: &Shares<'_>, member: usize) -> Buyer {
    let (known, gang) = (&shares.members[member], f64::from(shares.gang(member)));
    let full = limit(shares, member) * gang;
    let private = (float(known.reference.pace.max(1)) / PACE / float(shares.fastest(member).max(1))).min(1.0);
    Buyer { rate: full * private, worth: speeds(shares, member, full), gang, floor: FLOOR * full * private }
}

/// What a job would pay for a device and hour if all its work were done on its fastest class.
fn limit(shares: &Shares<'_>, member: usize) -> f64 {
    let known = &shares.members[member];
    let alone = i64::try_from(shares.time_left(member)).unwrap_or(i64::MAX);
    let alone = Millis::new(alone).max(shares.rules.quantum());
    let budget: Micros = known.job.budget_left;
    let limit = PricePerHour::affordable(budget, shares.gang(member), alone).unwrap_or(PricePerHour::LEAST);
    float(limit.min(shares.rules.limit_cap).micros()) / UNIT
}

fn bidders(shares: &Shares<'_>) -> Vec<Bidder> {
    let bids = shares.board.world.demands.iter().filter_map(|demand| match &demand.want {
        Want::Bid(bid) if is_funded(bid, shares.rules) => Some(bid),
        Want::Bid(_) | Want::OnDemand(_) | Want::Job(_) => None,
    });
    let bidder = |bid: &crate::world::Bid| Bidder {
        limit: float(bid.limit.min(shares.rules.limit_cap).micros()) / UNIT,
        accepts: shares.classes.iter().map(|class| bid.classes.contains(class)).collect(),
        gang: f64::from(bid.gang.max(1)),
    };
    bids.map(bidder).collect()
}

/// The devices that the round can give out, by ask, the lowest first.
fn asks(shares: &Shares<'_>, class: usize) -> Vec<Step> {
    let board = shares.board;
    let mut asks: Vec<(i64, i64)> = board.of_class[class]
        .iter()
        .filter_map(|bucket| {
            let bucket = &board.buckets[*bucket];
            Some((bucket.ask?.floor.micros(), i64::try_from(bucket.reachable + bucket.let_now).unwrap_or(0)))
        })
        .collect();
    asks.sort_unstable();
    let mut left = shares.capacity[class].max(0);
    let mut steps: Vec<Step> = Vec::new();
    for (ask, reachable) in asks {
        let devices = float(reachable.min(left));
        left -= reachable.min(left);
        let ask = float(ask) / UNIT;
        match steps.last_mut() {
            Some(last) if last.ask.total_cmp(&ask).is_eq() => last.devices += devices,
            _ => steps.push(Step { ask, devices }),
        }
    }
    steps
}
