//! What a run left in its folder.

use std::path::Path;

use anyhow::Context as _;
use scheduler::simulation::statistics::{count, mean, percentile};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A run.
#[derive(Debug)]
pub(super) struct Run {
    /// The folder's name.
    pub(super) name: String,
    policy: String,
    makespan_s: f64,
    jobs: usize,
    /// Ascending.
    pub(super) rho: Vec<f64>,
    /// Ascending, in hours.
    pub(super) completion_h: Vec<f64>,
    /// Empty if the run wrote none.
    pub(super) rounds: Vec<Round>,
}

/// A line of `rounds.csv`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Round {
    pub(super) time_s: f64,
    pub(super) utilisation: f64,
    pub(super) worst_lag_s: f64,
}

#[derive(Debug, Deserialize)]
struct Summary {
    policy: String,
    jobs: usize,
    makespan_s: f64,
}

#[derive(Debug, Deserialize)]
struct Job {
    arrival_s: f64,
    finish_s: Option<f64>,
    rho: Option<f64>,
}

impl Run {
    /// Reads a folder.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("summary.json");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read; was the folder written by simulate --out?", path.display()))?;
        let summary: Summary =
            serde_json::from_str(&text).with_context(|| format!("{} is not a summary", path.display()))?;
        let jobs: Vec<Job> = lines(&folder.join("jobs.csv"))?;
        let rounds = folder.join("rounds.csv");
        let rounds = if rounds.exists() { lines(&rounds)? } else { Vec::new() };
        let sorted = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values
        };
        let hours = jobs.iter().filter_map(|job| Some((job.finish_s? - job.arrival_s) / 3600.0)).collect();
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            policy: summary.policy,
            makespan_s: summary.makespan_s,
            jobs: summary.jobs,
            rho: sorted(jobs.iter().filter_map(|job| job.rho).collect()),
            completion_h: sorted(hours),
            rounds,
        })
    }

    /// A row of the table.
    pub(super) fn figures(&self) -> Vec<String> {
        let late = self.rho.iter().filter(|rho| **rho > 1.05).count();
        vec![
            self.name.clone(),
            self.policy.clone(),
            format!("{}/{}", self.completion_h.len(), self.jobs),
            format!("{:.2}", self.makespan_s / 3600.0),
            format!("{:.2}", mean(&self.completion_h)),
            format!("{:.3}", percentile(&self.rho, 0.95)),
            format!("{:.3}", self.rho.last().copied().unwrap_or(0.0)),
            format!("{:.1}", 100.0 * count(late) / count(self.rho.len()).max(1.0)),
        ]
    }
}

fn lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let mut reader = csv::Reader::from_path(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let rows: Result<Vec<T>, csv::Error> = reader.deserialize().collect();
    rows.with_context(|| format!("{} does not have the columns that simulate writes", path.display()))
}
