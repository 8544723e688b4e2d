//! Figures over all jobs of a simulation.

use super::outcome::{JobOutcome, Outcome};
use super::statistics::{self, mean, percentile};
use super::workload::Cluster;
use serde::Serialize;

/// A ratio beyond this is called unfair.
const UNFAIR: f64 = 1.05;

/// What a run is told by: `summary.json`, in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The share policy.
    pub policy: String,
    /// Jobs of the workload.
    pub jobs: usize,
    /// Jobs that were done.
    pub done: usize,
    /// When the last was done.
    pub makespan_s: f64,
    /// Mean time from arrival to finish.
    pub jct_mean_s: f64,
    /// Its 95th percentile, linear between ranks.
    pub jct_p95_s: f64,
    /// Largest finish-time ratio against the demand-aware reference.
    pub rho_worst: f64,
    /// Part of the jobs whose ratio exceeds 1.05.
    pub rho_unfair_share: f64,
    /// Largest ratio against a share at the mean number of jobs.
    pub rho_avg_worst: f64,
    /// Part of the jobs whose ratio exceeds 1.05.
    pub rho_avg_unfair_share: f64,
    /// What no schedule can bring `rho_avg_worst` below: some job would miss it even with the pool to itself.
    pub rho_avg_lower_bound: f64,
    /// Most by which a job ends after its demand-aware reference; 0 if none does.
    pub lateness_max_s: f64,
    /// Busy device time over all device time until the last finish.
    pub utilisation: f64,
    /// Device rounds that begin with a start, over all device rounds.
    pub churn: f64,
    /// Rounds.
    pub rounds: u64,
    /// Mean time a plan took.
    pub plan_ms_mean: f64,
    /// Longest time a plan took.
    pub plan_ms_max: f64,
    /// Solver runs that did not pass their check and were done again another way.
    pub fallbacks: u64,
}

/// What only the caller of a simulation can measure.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stopwatch {
    /// Milliseconds of all plans.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// See [`Summary::fallbacks`].
    pub fallbacks: u64,
}

impl Summary {
    /// Sums an outcome up.
    #[must_use]
    pub fn of(policy: &str, outcome: &Outcome, cluster: &Cluster, lower_bound: f64, watch: Stopwatch) -> Self {
        let mut completions: Vec<f64> = outcome.jobs.iter().filter_map(JobOutcome::completion).collect();
        completions.sort_by(f64::total_cmp);
        let done = completions.len();
        let capacity = f64::from(cluster.devices()) * outcome.makespan;
        Self {
            policy: policy.to_owned(),
            jobs: outcome.jobs.len(),
            done,
            makespan_s: outcome.makespan,
            jct_mean_s: mean(&completions),
            jct_p95_s: percentile(&completions, 0.95),
            rho_worst: worst(outcome, JobOutcome::rho),
            rho_unfair_share: unfair(outcome, JobOutcome::rho),
            rho_avg_worst: worst(outcome, JobOutcome::rho_avg),
            rho_avg_unfair_share: unfair(outcome, JobOutcome::rho_avg),
            rho_avg_lower_bound: lower_bound,
            lateness_max_s: worst(outcome, |job| Some(job.completion()? - job.ideal?)),
            utilisation: ratio(outcome.busy_seconds, capacity),
            churn: ratio(count(outcome.restarted_device_rounds), count(outcome.device_rounds)),
            rounds: outcome.rounds,
            plan_ms_mean: ratio(watch.total_ms, count(outcome.rounds)),
            plan_ms_max: watch.max_ms,
            fallbacks: watch.fallbacks,
        }
    }
}

fn worst(outcome: &Outcome, of: impl Fn(&JobOutcome) -> Option<f64>) -> f64 {
    outcome.jobs.iter().filter_map(of).fold(0.0, f64::max)
}

fn unfair(outcome: &Outcome, rho: impl Fn(&JobOutcome) -> Option<f64>) -> f64 {
    let told: Vec<f64> = outcome.jobs.iter().filter_map(rho).collect();
    ratio(statistics::count(told.iter().filter(|rho| **rho > UNFAIR).count()), statistics::count(told.len()))
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn count(number: u64) -> f64 {
    usize::try_from(number).map_or(f64::MAX, statistics::count)
}
