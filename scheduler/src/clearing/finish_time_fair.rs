//! Nobody later than on a private share, and beyond that where devices speed jobs up most.
//!
//! Every round is one programme: whole gangs, each on one class, that maximise the sum of
//!
//! ```text
//! size * ((rho / goal)^sharpness + tail * u^3) * (volume / mean volume)^-short  *  speed of the gang on the class
//! ```
//!
//! `rho` is the projected ratio, so that who is about to miss its private share outweighs all others; `u` the part of the
//! remaining schedule that the job needs even alone, so that long jobs do not start too late; the last factor lets short
//! jobs through when nobody is late. Who runs already counts a little more (`keep`); once it is known who runs, the
//! programme is solved again for where, with a preference for where they are (`stay`), which therefore moves nobody out.
//!
//! Where devices are all alike there is no class to gain by: there [`critical_ratio`] orders the jobs, unless a start costs so
//! much of a round that time cannot be cut that finely. Then the programme runs again, with ratios against an equal share of
//! time beside those against an equal share of devices ([`DEAR`]).
//!
//! There are no floors beneath: serving every share by deadline costs more than it protects, on mixed classes in time, on alike
//! ones in lateness at the end. Guarantees nothing by theorem; what it reaches is measured (docs/EVALUATION.md).

use super::forecast::{Outlook, outlooks};
use super::whole_gangs::{Candidate, choose};
use super::{Offer, Policy, Proposal, Shares, critical_ratio, float};
use crate::world::Tilt;

/// Ratios beyond this are equally late: keeps the power finite.
const MOST_LATE: f64 = 10.0;

/// A start that costs a round or more over this is dear.
const DEAR: i64 = 10;

/// What the programme leans to.
#[derive(Debug, Clone, Copy)]
struct Setting {
    /// The ratio to stay below.
    goal: f64,
    /// How steeply lateness counts, when all jobs are there.
    sharpness: f64,
    /// The same when others keep coming.
    sharpness_open: f64,
    /// Weight of jobs that determine the end of the schedule, when all jobs are there.
    tail: f64,
    /// The same when others keep coming: the end is not in sight then.
    tail_open: f64,
    /// Preference for what is soon done.
    short: f64,
    /// Preference for whoever runs already, on whatever class.
    keep: f64,
    /// Preference for the class a job runs on, once it is known who runs.
    stay: f64,
    /// What ratios are against.
    against: Against,
}

/// What a ratio compares with.
#[derive(Debug, Clone, Copy)]
enum Against {
    /// The demand-aware reference.
    Reference,
    /// A share at the mean number of jobs.
    MeanShare,
    /// The reference, or this part of an equal share of time whatever the gang, whichever is missed by more.
    Time(f64),
}

/// Keeps every strict ratio at or below one on the published traces.
const FAIR: Setting = Setting {
    goal: 0.97,
    sharpness: 20.0,
    sharpness_open: 12.0,
    tail: 1.0,
    tail_open: 0.0003,
    short: 0.15,
    keep: 0.6,
    stay: 0.2,
    against: Against::Reference,
};
/// A quarter below one against the mean crowd, and a fifth off the mean completion.
const FAST: Setting = Setting {
    goal: 0.75,
    sharpness: 10.0,
    sharpness_open: 8.0,
    tail: 0.8,
    tail_open: 0.1,
    short: 0.3,
    keep: 0.35,
    stay: 0.1,
    against: Against::MeanShare,
};
/// On devices that are alike, where starts are dear: gangs no longer wait than others, and long jobs begin early.
const SPARING: Setting = Setting {
    goal: 0.97,
    sharpness: 6.0,
    sharpness_open: 6.0,
    tail: 10.0,
    tail_open: 10.0,
    short: 0.15,
    keep: 1.0,
    stay: 0.2,
    against: Against::Time(0.8),
};

/// The policy `finish_time_fair`.
#[derive(Debug)]
pub struct FinishTimeFair;

impl Policy for FinishTimeFair {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let alike = are_alike(shares);
        let dear = shares.rules.restart.get().saturating_mul(DEAR) >= shares.rules.quantum().get();
        let setting = match shares.rules.tilt {
            _ if alike && dear => SPARING,
            Tilt::Fair if alike => return in_time(shares),
            Tilt::Fair => FAIR,
            Tilt::Fast => FAST,
        };
        let worths = worths(shares, setting);
        let gangs = gangs(shares, &worths, setting.stay);
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
fn worths(shares: &Shares<'_>, setting: Setting) -> Vec<Vec<f64>> {
    let outlooks = outlooks(shares);
    let counts = |member: usize| outlooks[member].finish.is_finite() && shares.members[member].active;
    let counted: Vec<&Outlook> = (0..outlooks.len()).filter(|member| counts(*member)).map(|m| &outlooks[m]).collect();
    let last_finish = counted.iter().map(|outlook| outlook.finish).fold(0.0, f64::max);
    let count = u32::try_from(counted.len()).map_or(1.0, f64::from).max(1.0);
    let mean_volume = counted.iter().map(|outlook| outlook.volume).sum::<f64>() / count;
    let openness = openness(shares);
    let tail = setting.tail * libm::pow(setting.tail_open / setting.tail, openness);
    let sharpness = setting.sharpness + (setting.sharpness_open - setting.sharpness) * openness;
    let worth = |outlook: &Outlook| {
        let rho = match setting.against {
            Against::Reference => outlook.rho,
            Against::MeanShare => outlook.rho_avg,
            Against::Time(part) => outlook.rho.max(part * outlook.rho_time),
        };
        let late = libm::pow(rho.min(MOST_LATE) / setting.goal, sharpness);
        let needed = (outlook.alone / last_finish.max(1e-9)).min(1.0);
        let short = libm::pow((outlook.volume / mean_volume.max(1e-9)).max(1e-9), -setting.short);
        outlook.size * (late + tail * needed * needed * needed) * short
    };
    let rows = (0..outlooks.len()).map(|member| {
        let mut row = vec![0.0; shares.capacity.len()];
        if counts(member) {
            let unit = worth(&outlooks[member]);
            let keep = if shares.here(member).is_some() { 1.0 + setting.keep } else { 1.0 };
            for (class, speed) in &shares.speeds[member] {
                row[*class] = unit * float(*speed) * keep;
            }
        }
        row
    });
    rows.collect()
}

/// From 0, when nobody has come for as long as the oldest job is there, to 1, when somebody comes now.
fn openness(shares: &Shares<'_>) -> f64 {
    let ages =
        || shares.members.iter().filter(|member| member.active).map(|member| shares.now.since(member.arrived_at));
    let (youngest, oldest) = (ages().min().map_or(0, |age| age.get()), ages().max().map_or(0, |age| age.get()));
    if oldest <= 0 { 0.0 } else { 1.0 - float(youngest.max(0)) / float(oldest) }
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
