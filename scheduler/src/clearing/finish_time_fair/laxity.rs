//! Who must run now: least laxity first, towards a target that all present jobs can still meet.
//!
//! No schedule brings a job below the ratio that it would reach if it ran alone from now on. The largest of these over the
//! jobs that are there is what the worst ratio cannot fall below, so it is the target for all, if it is not less than is
//! asked for; what a job could lose without missing it is its *laxity*. Who has next to none outweighs the others, however
//! little a fast class speeds it up and however early the forecast, which knows no classes, sees its end.

use super::setting::Against;
use crate::clearing::forecast::Outlook;

/// Added to the target: rounds are not cut, and forecasts are not exact.
const MARGIN: f64 = 0.01;

/// How lack of laxity counts.
#[derive(Debug, Clone, Copy)]
pub struct Urge {
    /// By how much more somebody without laxity weighs.
    pub weight: f64,
    /// Rounds of laxity within which the urge falls to a third.
    pub patience: f64,
    /// A target below this gains nothing.
    pub least: f64,
    /// What ratios are against.
    pub against: Against,
}

/// What the ratios of all should stay below.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    urge: Urge,
    ratio: f64,
    /// Seconds.
    round: f64,
}

impl Target {
    /// What the jobs that are there allow: their outlooks with the seconds since each arrived. `round` in seconds.
    pub fn of<'a>(urge: Urge, jobs: impl Iterator<Item = (&'a Outlook, f64)>, round: f64) -> Self {
        let target = Self { urge, ratio: 0.0, round };
        let ratio = jobs.map(|(outlook, elapsed)| target.alone(outlook, elapsed)).fold(urge.least, f64::max);
        Self { ratio: ratio + MARGIN, ..target }
    }

    /// By how much more a job weighs for its lack of laxity.
    pub fn urge(&self, outlook: &Outlook, elapsed: f64) -> f64 {
        let ideal = (elapsed + outlook.finish) / self.urge.against.ratio(outlook);
        let laxity = (self.ratio - self.alone(outlook, elapsed)) * ideal / self.round;
        self.urge.weight * libm::exp(-laxity.max(0.0) / self.urge.patience)
    }

    /// The ratio that a job reaches alone.
    fn alone(&self, outlook: &Outlook, elapsed: f64) -> f64 {
        self.urge.against.ratio(outlook) * (elapsed + outlook.alone) / (elapsed + outlook.finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone it reaches `alone`, of a reference of `ideal` seconds.
    fn job(alone: f64, ideal: f64) -> Outlook {
        let finish = 2.0 * ideal;
        Outlook { alone: alone * ideal, volume: 1.0, size: 1.0, finish, rho: 1.5, rho_avg: 2.0, rho_time: 0.0 }
    }

    const URGE: Urge = Urge { weight: 3.0, patience: 2.0, least: 0.8, against: Against::Either(1.0) };

    #[test]
    fn whoever_cannot_wait_outweighs_whoever_can() {
        let (tight, lax, short) = (job(0.9, 36_000.0), job(0.5, 36_000.0), job(0.85, 360.0));
        let target = Target::of(URGE, [&tight, &lax, &short].into_iter().map(|job| (job, 0.0)), 360.0);
        let urge = |job: &Outlook| target.urge(job, 0.0);
        assert!(urge(&tight) > 1.5, "one hundredth of 100 rounds to spare: {}", urge(&tight));
        assert!(urge(&lax) < 0.001, "forty rounds to spare: {}", urge(&lax));
        assert!(urge(&short) > 2.5, "less than a tenth of a round to spare: {}", urge(&short));
    }

    #[test]
    fn where_all_could_be_early_nobody_is_urged_to_be_the_earliest() {
        let jobs = [job(0.3, 36_000.0), job(0.4, 36_000.0)];
        let target = Target::of(URGE, jobs.iter().map(|job| (job, 0.0)), 360.0);
        assert!(jobs.iter().all(|job| target.urge(job, 0.0) < 0.001));
    }
}
