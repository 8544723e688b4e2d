//! Worst projected finish-time ratio first, and where it speeds jobs up most among those who are not late.
//!
//! Each job on each class is worth
//!
//! ```text
//! size * ((rho / GOAL)^SHARPNESS + TAIL * u^3) * (volume / mean volume)^-SHORT  *  speed on the class
//! ```
//!
//! per device of its gang: `rho` is the projected ratio, so that who is about to miss its private share outweighs all
//! others; `u` the part of the remaining schedule that the job needs even alone, so that long jobs do not start too late;
//! the last factor lets short jobs through when nobody is late. The setting is the one measured to keep every ratio at or
//! below one on the published traces (`fair`, docs/policies/finish_time_fair.md). A running gang counts a little more
//! where it is, which halves restarts at almost no cost.

use super::forecast::{Outlook, outlooks};
use super::{Offer, Policy, Proposal, Shares};

/// The ratio to stay below.
const GOAL: f64 = 0.97;
/// How steeply lateness counts.
const SHARPNESS: f64 = 20.0;
/// Weight of jobs that determine the end of the schedule.
const TAIL: f64 = 0.005;
/// Preference for what is soon done.
const SHORT: f64 = 0.15;
/// Preference for the class a job runs on.
const STICKY: f64 = 0.1;
/// Ratios beyond this are equally late: keeps the power finite.
const MOST_LATE: f64 = 10.0;

/// The policy `finish_time_fair`.
#[derive(Debug)]
pub struct FinishTimeFair;

impl Policy for FinishTimeFair {
    fn propose(&self, shares: &Shares<'_>) -> Proposal {
        let outlooks = outlooks(shares);
        let runnable = || outlooks.iter().filter(|outlook| outlook.finish.is_finite());
        let last = runnable().map(|outlook| outlook.finish).fold(0.0, f64::max);
        let count = u32::try_from(runnable().count()).map_or(1.0, f64::from).max(1.0);
        let mean_volume = runnable().map(|outlook| outlook.volume).sum::<f64>() / count;

        let mut offers: Vec<(f64, Offer)> = Vec::new();
        for (member, outlook) in outlooks.iter().enumerate().filter(|(_, outlook)| outlook.finish.is_finite()) {
            let worth = worth(outlook, last, mean_volume) / f64::from(shares.members[member].job.gang.max(1));
            for (class, speed) in &shares.speeds[member] {
                let stay = if shares.runs_on[member] == Some(*class) { 1.0 + STICKY } else { 1.0 };
                offers.push((worth * speed_of(*speed) * stay, Offer { member, class: *class }));
            }
        }
        offers.sort_by(|(a, left), (b, right)| {
            let arrival = |offer: &Offer| {
                (shares.members[offer.member].arrived_at, shares.members[offer.member].id(), offer.class)
            };
            b.total_cmp(a).then_with(|| arrival(left).cmp(&arrival(right)))
        });
        let idle = offers.into_iter().map(|(_, offer)| offer).collect();
        Proposal { idle, ..Proposal::default() }
    }
}

/// What a unit of the job's work is worth.
fn worth(outlook: &Outlook, last_finish: f64, mean_volume: f64) -> f64 {
    let late = libm::pow(outlook.rho.min(MOST_LATE) / GOAL, SHARPNESS);
    let needed = (outlook.alone / last_finish.max(1e-9)).min(1.0);
    let tail = TAIL * needed * needed * needed;
    let short = libm::pow((outlook.volume / mean_volume.max(1e-9)).max(1e-9), -SHORT);
    outlook.size * (late + tail) * short
}

#[expect(clippy::cast_precision_loss, reason = "speeds are compared, not added up")]
fn speed_of(milliunits_per_second: i64) -> f64 {
    milliunits_per_second as f64
}
