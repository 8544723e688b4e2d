//! What no schedule could better.

use super::outcome::Outcome;
use super::run::Settings;
use super::workload::{Cluster, Workload};

/// The largest, over all jobs, of the `rho_avg` that a job would have if it alone had absolute priority from its arrival on
/// its fastest class, all other jobs as in `outcome`: rounds on the grid and whole steps leave it no better.
#[must_use]
pub fn rho_avg(workload: &Workload, cluster: &Cluster, settings: &Settings, outcome: &Outcome) -> f64 {
    let round = f64::from(settings.round_seconds);
    let bound = |number: usize| {
        let job = &workload.jobs[number];
        let speed = job.speeds.iter().copied().fold(0.0, f64::max);
        let per_round = speed * round;
        let steps = if settings.whole_steps { libm::floor(per_round + 1e-9) } else { per_round };
        let full = libm::ceil(job.work / steps) - 1.0;
        let start = libm::ceil(job.arrival / round - 1e-9) * round;
        let pause = f64::from(settings.restart_seconds);
        let finish = start + pause + full * round + (job.work - full * steps) / speed;
        let life = finish - job.arrival;
        let crowd: f64 = life + others(outcome, number, job.arrival, finish);
        let gang = f64::from(job.gang);
        let rate: f64 =
            job.speeds.iter().zip(&cluster.classes).map(|(speed, class)| speed * f64::from(class.devices)).sum();
        let ideal = rate / gang / f64::max(crowd / life, f64::from(cluster.devices()) / gang);
        life * ideal / job.work
    };
    (0..workload.jobs.len()).map(bound).fold(0.0, f64::max)
}

/// Time that other jobs are there between two instants.
fn others(outcome: &Outcome, job: usize, from: f64, to: f64) -> f64 {
    let others = outcome.jobs.iter().enumerate().filter(|(number, _)| *number != job);
    others.map(|(_, told)| (told.finish.unwrap_or(to).min(to) - told.arrival.max(from)).max(0.0)).sum()
}
