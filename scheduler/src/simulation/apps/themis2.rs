//! The workload *themis2*: applications drawn from the published distributions of their work, jobs and GPUs per job.
//!
//! Work is in GPU-seconds; the number of jobs is drawn between the listed points and rounded up, GPUs per job are one of
//! the listed values. An application can use the GPUs of all its jobs at once. Arrivals are a Poisson process whose rate
//! makes the mean work that comes per second `load` times what the cluster can do. The same seed draws the same workload.

use crate::dice::Dice;
use crate::simulation::traces::pcs::{App, Cdf};

/// The published distributions.
#[derive(Debug, Clone, PartialEq)]
pub struct Distributions {
    /// GPU-seconds of an application.
    pub work: Cdf,
    /// Jobs of an application.
    pub jobs: Cdf,
    /// The most GPUs that a job can use.
    pub gpus_per_job: Cdf,
}

/// Draws `count` applications for a cluster of `gpus`.
#[must_use]
pub fn draw(distributions: &Distributions, count: usize, load: f64, gpus: u32, seed: u64) -> Vec<App> {
    let mut dice = Dice::new(seed);
    let gap_s = distributions.work.mean() / (load * f64::from(gpus));
    let mut arrival_s = 0.0;
    let apps = (0..count).map(|place| {
        let app = App {
            name: format!("app-{place}"),
            arrival_s,
            work: distributions.work.between(dice.unit()).max(1.0),
            parallel: parallel(distributions, &mut dice),
        };
        arrival_s -= gap_s * libm::log(1.0 - dice.unit());
        app
    });
    apps.collect()
}

fn parallel(distributions: &Distributions, dice: &mut Dice) -> u32 {
    let jobs = whole(libm::ceil(distributions.jobs.between(dice.unit())));
    (0..jobs).map(|_| whole(distributions.gpus_per_job.listed(dice.unit()))).sum()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
fn whole(number: f64) -> u32 {
    number.clamp(1.0, 1e6) as u32
}
