//! Nobody later than on a private share, and beyond that where devices speed jobs up most.
//!
//! Every round is one programme: whole gangs, each on one class, that maximise the sum of
//!
//! ```text
//! size * ((rho / goal)^sharpness + tail * u^3) * (volume / mean volume)^-short * (1 + urge)  *  speed of the gang on the class
//! ```
//!
//! `rho` is the projected ratio, so that who is about to miss its private share outweighs all others; `u` the part of the
//! remaining schedule that the job needs even alone, so that long jobs do not start too late; the volume lets short jobs
//! through when nobody is late; the urge is for who can no longer wait (`laxity`). While others keep coming the programme
//! leans to the same numbers under both tilts (`setting`). Who runs already counts a little more (`keep`); once it is known
//! who runs, the programme is solved again for where, with a preference for where they are (`stay`), which therefore moves
//! nobody out.
//!
//! Where devices are all alike there is no class to gain by: there [`critical_ratio`] orders the jobs, unless a start costs so
//! much of a round that time cannot be cut that finely. Then the programme runs again, with ratios against an equal share of
//! time beside those against an equal share of devices ([`DEAR`]).
//!
//! There are no floors beneath: serving every share by deadline costs more than it protects, on mixed classes in time, on alike
//! ones in lateness at the end. Guarantees nothing by theorem; what it reaches is measured (docs/EVALUATION.md).

mod laxity;
mod setting;

use super::forecast::{Outlook, outlooks};
use super::whole_gangs::{Candidate, choose};
use super::{Offer, Policy, Proposal, Shares, critical_ratio, float};
use crate::world::Tilt;
use laxity::Target;
use setting::{FAIR, FAST, Leaning, OPEN, SPARING};

/// Ratios beyond this are equally late: keeps the power finite.
const MOST_LATE: f64 = 10.0;

/// A start that costs a round or more over this is dear.
const DEAR: i64 = 10;

/// The policy `finish_time_fair`.
#[derive(Debug)]
pub struct FinishTimeFair;

impl Policy for FinishTimeFair {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let alike = are_alike(shares);
        let dear = shares.rules.restart.get().saturating_mul(DEAR) >= shares.rules.quantum().get();
        let leaning = match shares.rules.tilt {
            _ if alike && dear => Leaning::new(SPARING, SPARING, 0.0),
            Tilt::Fair if alike => return in_time(shares),
            Tilt::Fair => Leaning::new(FAIR, OPEN, openness(shares)),
            Tilt::Fast => Leaning::new(FAST, OPEN, openness(shares)),
        };
        let worths = worths(shares, &leaning);
        let gangs = gangs(shares, &worths, leaning.number(|setting| setting.stay));
        Proposal { gangs, idle: by_density(shares, &worths), ..Proposal::default() }
    }
}

/// Whether every job is equally fast, to a hundredth, wherever it can run.
fn are_alike(shares: &Shares<'_>) -> bool {
    let active = shares.members.iter().zip(&shares.speeds).filter(|(member, _)| member.active);
    active.into_iter().all(|(_, speeds)| {
        let speeds = || speeds.iter().map(|(_, speed)| *speed);
        let (slowest, fastest) = (speeds().min().unwrap_or(0), speeds().max().unwrap_or(0));
        fastest.saturating_mul(100) <= slowest.saturating_mul(101)
    })
}

/// Whoever has least time to spare, first.
fn in_time(shares: &Shares<'_>) -> Proposal {
    let ratios = critical_ratio::ratios(shares);
    let gangs = critical_ratio::gangs(shares, &ratios, &undecided(shares), &shares.room());
    let worths: Vec<Vec<f64>> = ratios
        .iter()
        .enumerate()
        .map(|(member, ratio)| vec![ratio * f64::from(shares.gang(member)); shares.capacity.len()])
        .collect();
    Proposal { gangs, idle: by_density(shares, &worths), ..Proposal::default() }
}

/// What each job is worth on each class, by member.
fn worths(shares: &Shares<'_>, leaning: &Leaning) -> Vec<Vec<f64>> {
    let outlooks = outlooks(shares);
    let counts = |member: usize| outlooks[member].finish.is_finite() && shares.members[member].active;
    let counted: Vec<usize> = (0..outlooks.len()).filter(|member| counts(*member)).collect();
    let last_finish = counted.iter().map(|member| outlooks[*member].finish).fold(0.0, f64::max);
    let count = u32::try_from(counted.len()).map_or(1.0, f64::from).max(1.0);
    let mean_volume = counted.iter().map(|member| outlooks[*member].volume).sum::<f64>() / count;
    let elapsed = |member: usize| float(shares.now.since(shares.members[member].arrived_at).get().max(0)) / 1e3;
    let round = float(shares.rules.quantum().get()) / 1e3;
    let known = || counted.iter().map(|member| (&outlooks[*member], elapsed(*member)));
    let targets: Vec<(f64, Target)> =
        leaning.urges().map(|(part, urge)| (part, Target::of(urge, known(), round))).collect();
    let number = |of| leaning.number(of);
    let (goal, sharpness) = (number(|setting| setting.goal), number(|setting| setting.sharpness));
    let (short, keep, tail) = (number(|setting| setting.short), number(|setting| setting.keep), leaning.tail());
    let worth = |outlook: &Outlook, elapsed: f64| {
        let late = libm::pow(leaning.ratio(outlook).min(MOST_LATE) / goal, sharpness);
        let needed = (outlook.alone / last_finish.max(1e-9)).min(1.0);
        let short = libm::pow((outlook.volume / mean_volume.max(1e-9)).max(1e-9), -short);
        let urge = targets.iter().map(|(part, target)| part * target.urge(outlook, elapsed)).sum::<f64>();
        outlook.size * (late + tail * needed * needed * needed) * short * (1.0 + urge)
    };
    let rows = (0..outlooks.len()).map(|member| {
        let mut row = vec![0.0; shares.capacity.len()];
        if counts(member) {
            let unit = worth(&outlooks[member], elapsed(member));
            let keep = if shares.here(member).is_some() { 1.0 + keep } else { 1.0 };
            for (class, speed) in &shares.speeds[member] {
                row[*class] = unit * float(*speed) * keep;
            }
        }
        row
    });
    rows.collect()
}

/// From 0, when nobody has come for as long as the oldest job is there, to 1, when somebody comes now. It stays high for long:
/// a gap between two arrivals is no end.
fn openness(shares: &Shares<'_>) -> f64 {
    let ages =
        || shares.members.iter().filter(|member| member.active).map(|member| shares.now.since(member.arrived_at));
    let (youngest, oldest) = (ages().min().map_or(0, |age| age.get()), ages().max().map_or(0, |age| age.get()));
    if oldest <= 0 { 0.0 } else { libm::cbrt(1.0 - float(youngest.max(0)) / float(oldest)) }
}

/// Who may begin or go on beside those that stay in any case, by arrival: also who cannot pay, and is worth nothing.
fn undecided(shares: &Shares<'_>) -> Vec<usize> {
    shares.by_arrival().into_iter().filter(|member| shares.kept[*member].is_none()).collect()
}

/// The best whole gangs beside those that stay in any case, most valuable per device first.
fn gangs(shares: &Shares<'_>, worths: &[Vec<f64>], stay: f64) -> Vec<Offer> {
    let (mut members, room) = (undecided(shares), shares.room());
    let candidate = |member: &usize| Candidate { gang: shares.size(*member), worth: worths[*member].clone() };
    let best = choose(&members.iter().map(candidate).collect::<Vec<_>>(), &room);
    let mut runs = best.iter();
    members.retain(|_| runs.next().is_some_and(Option::is_some));

    let settled = |member: &usize| {
        let mut candidate = candidate(member);
        if let Some(class) = shares.here(*member) {
            candidate.worth[class] *= 1.0 + stay;
        }
        candidate
    };
    let moved_least = choose(&members.iter().map(settled).collect::<Vec<_>>(), &room);
    let all_run = moved_least.iter().all(Option::is_some);
    let chosen: Vec<usize> = if all_run { moved_least } else { best }.into_iter().flatten().collect();
    let offers = members.into_iter().zip(chosen).map(|(member, class)| Offer { member, class });
    sorted(shares, worths, offers.collect())
}

/// All pairs of a job and a class it can run on.
fn by_density(shares: &Shares<'_>, worths: &[Vec<f64>]) -> Vec<Offer> {
    let pairs = shares.speeds.iter().enumerate();
    let pairs = pairs.flat_map(|(member, speeds)| speeds.iter().map(move |(class, _)| Offer { member, class: *class }));
    sorted(shares, worths, pairs.filter(|offer| worths[offer.member][offer.class] > 0.0).collect())
}

/// By worth per device, then by who came first.
fn sorted(shares: &Shares<'_>, worths: &[Vec<f64>], mut offers: Vec<Offer>) -> Vec<Offer> {
    let density = |offer: &Offer| worths[offer.member][offer.class] / f64::from(shares.gang(offer.member));
    offers.sort_by(|left, right| {
        let arrival =
            |offer: &Offer| (shares.members[offer.member].arrived_at, shares.members[offer.member].id(), offer.class);
        density(right).total_cmp(&density(left)).then_with(|| arrival(left).cmp(&arrival(right)))
    });
    offers
}
