//! What came of applications, as figures and as text.

use super::leases::{Cluster, Outcome};
use super::rho;
use crate::simulation::statistics::{mean, percentile};
use crate::simulation::traces::pcs::App;
use serde::Serialize;
use std::fmt::Write as _;

/// A ratio beyond this is called unfair.
const UNFAIR: f64 = 1.05;

/// `summary.json` of applications, in this order. Ratios are against the demand-aware reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The rule.
    pub policy: String,
    /// Applications.
    pub jobs: usize,
    /// When the last was done.
    pub makespan_s: f64,
    /// Mean time from arrival to finish.
    pub jct_mean_s: f64,
    /// Its 95th percentile, linear between ranks.
    pub jct_p95_s: f64,
    /// Mean finish-time ratio.
    pub rho_mean: f64,
    /// Its 95th percentile.
    pub rho_p95: f64,
    /// The largest.
    pub rho_worst: f64,
    /// Part of the applications whose ratio exceeds 1.05.
    pub rho_unfair_share: f64,
    /// Leased device time over all device time until the last finish.
    pub utilisation: f64,
    /// Device seconds that were free while somebody could have used them.
    pub idle_in_demand_device_s: f64,
    /// How often free GPUs were divided.
    pub rounds: u64,
    /// GPU leases granted.
    pub leases: u64,
    /// Of what auctions divided, GPU leases that winners did not keep.
    pub leases_withheld: u64,
    /// GPU leases given back to bidders since nobody else could use them: each one voids what withholding is for.
    pub leases_returned_to_bidders: u64,
}

impl Figures {
    /// Sums an outcome up.
    #[must_use]
    pub fn of(policy: &str, apps: &[App], cluster: Cluster, outcome: &Outcome) -> Self {
        let mut completions: Vec<f64> =
            apps.iter().zip(&outcome.finish_s).map(|(app, finish)| finish - app.arrival_s).collect();
        let mut ratios = rho::strict(apps, &outcome.finish_s, cluster.gpus);
        completions.sort_by(f64::total_cmp);
        ratios.sort_by(f64::total_cmp);
        let makespan_s = outcome.finish_s.iter().copied().fold(0.0, f64::max);
        let late: Vec<f64> = ratios.iter().map(|rho| f64::from(u8::from(*rho > UNFAIR))).collect();
        let over_spans = |devices: fn(&super::leases::Span) -> u32| -> f64 {
            outcome.spans.iter().map(|span| f64::from(devices(span)) * span.lasts_s).sum()
        };
        Self {
            policy: policy.to_owned(),
            jobs: apps.len(),
            makespan_s,
            jct_mean_s: mean(&completions),
            jct_p95_s: percentile(&completions, 0.95),
            rho_mean: mean(&ratios),
            rho_p95: percentile(&ratios, 0.95),
            rho_worst: ratios.last().copied().unwrap_or(0.0),
            rho_unfair_share: mean(&late),
            utilisation: over_spans(|span| span.busy) / (f64::from(cluster.gpus) * makespan_s).max(f64::MIN_POSITIVE),
            idle_in_demand_device_s: over_spans(|span| span.idle_in_demand),
            rounds: outcome.rounds,
            leases: outcome.granted,
            leases_withheld: outcome.withheld,
            leases_returned_to_bidders: outcome.returned,
        }
    }
}

/// `jobs.csv`: a line per application.
#[must_use]
pub fn jobs_csv(apps: &[App], cluster: Cluster, outcome: &Outcome) -> String {
    let mut text = "job_id,arrival_s,finish_s,jct_s,gpus_max,work_gpu_s,rho\n".to_owned();
    let ratios = rho::strict(apps, &outcome.finish_s, cluster.gpus);
    for ((app, finish), rho) in apps.iter().zip(&outcome.finish_s).zip(ratios) {
        let App { name, arrival_s, work, parallel } = app;
        let _ =
            writeln!(text, "{name},{arrival_s:.3},{finish:.3},{:.3},{parallel},{work:.3},{rho:.6}", finish - arrival_s);
    }
    text
}

/// `rounds.csv`: the state at the first event in each lease's length of time.
#[must_use]
pub fn rounds_csv(cluster: Cluster, outcome: &Outcome) -> String {
    let mut text = "time_s,utilisation,worst_lag_s,active\n".to_owned();
    let mut next = 0.0;
    for span in outcome.spans.iter() {
        if span.from_s >= next {
            let utilisation = f64::from(span.busy) / f64::from(cluster.gpus);
            let _ = writeln!(text, "{:.3},{utilisation:.4},{:.3},{}", span.from_s, span.worst_lag_s, span.active);
            next = span.from_s + cluster.lease_s;
        }
    }
    text
}
