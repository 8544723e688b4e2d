//! Themis' auctions among the jobs of a pool: free devices go to those furthest from finish-time fairness, by partial allocation.
//!
//! 1. Gangs inside a quantum are on a *lease* and keep it (a quantum is a round, or the minimum run if that is longer).
//!    All else is free.
//! 2. Of the `N` active jobs the `ceil((1 - f) N)` with the largest projected ratio among those without a lease bid, `f = 0.8`.
//! 3. A bid says what a lease on each class is worth: `V = 1 / rho`, `rho` with the gang there for one lease and a private
//!    share afterwards; without it, a lease of waiting. The division maximises the product of `V` over whole gangs.
//! 4. A winner keeps the part `c` of its gang, to the nearest whole one: what its presence costs the others is its hidden
//!    payment ([`super::partial_allocation`]), so a gang that costs them more than half of the product is withheld.
//! 5. What is withheld or not wanted goes to jobs that did not bid, the largest ratio first; what they cannot use goes
//!    back to the bidders, since nothing stays idle that somebody can use. That voids what withholding is for.
//!
//! Jobs bid, not organisations. Not truthful over many rounds, nor for whole gangs. Source: Themis (NSDI 2020); the form of
//! the bid is ours.

use super::whole_gangs::{Candidate, choose};
use super::{Offer, Policy, Proposal, Shares, by_job, float};
use std::cmp::Reverse;

/// `f`, in thousandths: the part of the jobs that does not bid.
const FAIRNESS_MILLI: usize = 800;
/// A winner that keeps less of its gang than this gets none of it.
const HALF: f64 = 0.5;

/// The policy `themis_auction`.
#[derive(Debug)]
pub struct ThemisAuction;

impl Policy for ThemisAuction {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let ratios: Vec<f64> = (0..shares.members.len()).map(|member| Outlook::of(shares, member).rho()).collect();
        // Ratios are not negative, and bits of such floats are in their order.
        let urgency = |member: usize| Reverse(ratios[member].to_bits());
        let active = shares.members.iter().filter(|member| member.active).count();
        let mut order = shares.undecided();
        order.sort_by_key(|member| urgency(*member));
        let bidders = bidders(active).min(order.len());
        let mut room = shares.room();
        let mut gangs = auction(shares, &order[..bidders], &room);
        gangs.iter().for_each(|offer| room[offer.class] -= shares.size(offer.member));
        let won: Vec<usize> = gangs.iter().map(|offer| offer.member).collect();
        let losers = order[..bidders].iter().filter(|member| !won.contains(member));
        for member in order[bidders..].iter().chain(losers) {
            if let Some(class) = fastest_with_room(shares, *member, &room) {
                room[class] -= shares.size(*member);
                gangs.push(Offer { member: *member, class });
            }
        }
        Proposal { gangs, idle: by_job(shares, urgency), ..Proposal::default() }
    }
}

fn bidders(active: usize) -> usize {
    (active * (1000 - FAIRNESS_MILLI)).div_ceil(1000)
}

/// Who wins a lease on which class, and keeps it after payment, in order of bidders.
fn auction(shares: &Shares<'_>, bidders: &[usize], room: &[usize]) -> Vec<Offer> {
    let bids: Vec<Candidate> = bidders.iter().map(|member| bid(shares, *member)).collect();
    let best = choose(&bids, room);
    let worth = |bids: &[Candidate], classes: &[Option<usize>]| -> f64 {
        bids.iter().zip(classes).filter_map(|(bid, class)| Some(bid.worth[(*class)?])).sum()
    };
    let total = worth(&bids, &best);
    let kept = (0..bidders.len()).filter_map(|place| {
        let class = best[place]?;
        let others: Vec<Candidate> =
            bids.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, bid)| bid.clone()).collect();
        let without = worth(&others, &choose(&others, room));
        let keeps = libm::exp((total - bids[place].worth[class] - without).min(0.0));
        (keeps >= HALF).then_some(Offer { member: bidders[place], class })
    });
    kept.collect()
}

/// By class the logarithm of what a lease there is worth over what waiting for the next auction is.
fn bid(shares: &Shares<'_>, member: usize) -> Candidate {
    let outlook = Outlook::of(shares, member);
    let mut worth = vec![0.0; shares.capacity.len()];
    for (class, speed) in &shares.speeds[member] {
        if shares.may_go(member, *class) {
            let starts = shares.runs_on[member] != Some(*class);
            worth[*class] = libm::log(outlook.waiting() / outlook.leased(float(*speed) / 1e3, starts));
        }
    }
    Candidate { gang: shares.size(member), worth }
}

fn fastest_with_room(shares: &Shares<'_>, member: usize, room: &[usize]) -> Option<usize> {
    let classes = shares.speeds[member].iter();
    let fits = classes
        .filter(|(class, _)| room[*class] >= shares.size(member) && shares.may_go(member, *class))
        // Of equals the one it runs on.
        .max_by_key(|(class, speed)| (*speed, shares.runs_on[member] == Some(*class), Reverse(*class)));
    fits.map(|(class, _)| *class)
}

/// What decides a job's ratio; times in seconds, work in units.
struct Outlook {
    elapsed: f64,
    left: f64,
    /// Speed of the private share.
    pace: f64,
    /// How long a private share takes for all the work.
    ideal: f64,
    lease: f64,
    restart: f64,
}

impl Outlook {
    fn of(shares: &Shares<'_>, member: usize) -> Self {
        let known = &shares.members[member];
        let (job, account) = (known.job, &known.account);
        let elapsed = float(shares.now.since(known.arrived_at).get().max(0)) / 1e3;
        let pace = float(known.reference.pace.max(1)) / 1e9;
        let ideal_left = float(job.work.saturating_sub(account.reference).max(0)) / 1e3 / pace;
        let ideal = account.state.ideal.map_or(elapsed + ideal_left, |ideal| float(ideal.get()) / 1e3);
        Self {
            elapsed,
            left: float(job.work.saturating_sub(account.done).max(1)) / 1e3,
            pace,
            ideal: ideal.max(1e-3),
            lease: float(shares.rules.quantum().get()) / 1e3,
            restart: float(shares.rules.restart.get().max(0)) / 1e3,
        }
    }

    /// The ratio if it goes on at its private share.
    fn rho(&self) -> f64 {
        (self.elapsed + self.left / self.pace) / self.ideal
    }

    /// The ratio with a lease of waiting first.
    fn waiting(&self) -> f64 {
        (self.elapsed + self.lease + self.left / self.pace) / self.ideal
    }

    /// The ratio with a lease at `speed` first.
    fn leased(&self, speed: f64, starts: bool) -> f64 {
        let pause = if starts { self.restart.min(self.lease) } else { 0.0 };
        let done = speed * (self.lease - pause);
        let time =
            if done >= self.left { pause + self.left / speed } else { self.lease + (self.left - done) / self.pace };
        (self.elapsed + time) / self.ideal
    }
}
