//! Who must run now: least laxity first, towards a target that the present jobs set themselves.
//!
//! No schedule brings a job below the ratio that it would reach if it ran alone from now on. The largest of these over the
//! jobs that are there is what the worst ratio cannot fall below, so it is the target for all; what a job could lose
//! without missing it is its *laxity*. Who has next to none outweighs the others, however little a fast class speeds it up.

use crate::clearing::forecast::Outlook;

/// A target below this gains nothing.
const LEAST: f64 = 0.8;
/// Added to the target: rounds are not cut, and forecasts are not exact.
const MARGIN: f64 = 0.01;
/// Rounds of laxity within which the urge falls to a third.
const PATIENCE: f64 = 2.0;
/// By how much more somebody without laxity weighs.
const URGE: f64 = 3.0;

/// The target, and how long a round is.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    ratio: f64,
    round: f64,
}

impl Target {
    /// What the jobs that are there allow: their outlooks with the seconds since each arrived. `round` in seconds.
    pub fn of<'a>(jobs: impl Iterator<Item = (&'a Outlook, f64)>, round: f64) -> Self {
        let least = jobs.map(|(outlook, elapsed)| alone(outlook, elapsed)).fold(LEAST, f64::max);
        Self { ratio: least + MARGIN, round }
    }

    /// By what factor a job weighs more for its lack of laxity; `openness` of it.
    pub fn urge(&self, outlook: &Outlook, elapsed: f64, openness: f64) -> f64 {
        let span = (elapsed + outlook.finish) / ratio(outlook);
        let laxity = (self.ratio - alone(outlook, elapsed)) * span / self.round;
        1.0 + openness * URGE * libm::exp(-laxity.max(0.0) / PATIENCE)
    }
}

/// The stricter of both ratios.
fn ratio(outlook: &Outlook) -> f64 {
    outlook.rho.max(outlook.rho_avg).max(f64::MIN_POSITIVE)
}

/// The ratio that a job reaches alone.
fn alone(outlook: &Outlook, elapsed: f64) -> f64 {
    ratio(outlook) * (elapsed + outlook.alone) / (elapsed + outlook.finish)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone it reaches `alone`, of a reference of `ideal` seconds.
    fn job(alone: f64, ideal: f64) -> Outlook {
        let finish = 2.0 * ideal;
        Outlook { alone: alone * ideal, volume: 1.0, size: 1.0, finish, rho: 1.5, rho_avg: 2.0, rho_time: 0.0 }
    }

    #[test]
    fn whoever_cannot_wait_outweighs_whoever_can() {
        let (tight, lax, short) = (job(0.9, 36_000.0), job(0.5, 36_000.0), job(0.85, 360.0));
        let target = Target::of([&tight, &lax, &short].into_iter().map(|job| (job, 0.0)), 360.0);
        let urge = |job: &Outlook| target.urge(job, 0.0, 1.0);
        assert!(urge(&tight) > 2.5, "one hundredth of 100 rounds to spare: {}", urge(&tight));
        assert!(urge(&lax) < 1.001, "forty rounds to spare: {}", urge(&lax));
        assert!(urge(&short) > 3.5, "less than a tenth of a round to spare: {}", urge(&short));
        assert!((target.urge(&tight, 0.0, 0.0) - 1.0).abs() < 1e-12, "nobody comes");
    }

    #[test]
    fn where_all_could_be_early_nobody_is_urged_to_be_the_earliest() {
        let jobs = [job(0.3, 36_000.0), job(0.4, 36_000.0)];
        let target = Target::of(jobs.iter().map(|job| (job, 0.0)), 360.0);
        assert!(jobs.iter().all(|job| target.urge(job, 0.0, 1.0) < 1.001));
    }
}
