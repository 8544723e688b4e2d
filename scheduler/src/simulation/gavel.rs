//! Gavel's traces and measured throughputs.
//!
//! A trace is ten columns apart by tabs, without a header: job type, command, directory, argument, data flag, total steps,
//! scale factor (devices), weight, deadline, arrival in seconds. Throughputs are a table `worker_type, job_type,
//! scale_factor, steps_per_s` of the whole job's steps; 0 or an absent pair cannot run. A class of the cluster is the
//! worker type of the same name.

use super::traces::table::LineError;
use super::workload::{Cluster, SimJob, Workload};
use std::collections::BTreeMap;

/// Speed of a job type at a scale on a worker type, in steps per second.
pub type Throughputs = BTreeMap<(String, String, u32), f64>;

/// Reads a table of throughputs.
///
/// # Errors
/// [`LineError`] for a line that does not have the four columns, or a number that is none.
pub fn throughputs(text: &str) -> Result<Throughputs, LineError> {
    let mut table = Throughputs::new();
    for (line, row) in text.lines().enumerate().skip(1).filter(|(_, row)| !row.trim().is_empty()) {
        let fault = |problem: String| LineError { line: line + 1, problem };
        // Job types hold commas only where the table quotes them.
        let (worker, rest) = row.split_once(',').ok_or_else(|| fault("expected 4 columns".to_owned()))?;
        let mut back = rest.rsplitn(3, ',');
        let (speed, scale, kind) = (back.next(), back.next(), back.next());
        let (Some(speed), Some(scale), Some(kind)) = (speed, scale, kind) else {
            return Err(fault("expected the 4 columns worker_type,job_type,scale_factor,steps_per_s".to_owned()));
        };
        let scale = scale.parse().map_err(|_| fault(format!("`{scale}` is not a number of devices")))?;
        let speed = number(speed).ok_or_else(|| fault(format!("`{speed}` is not a speed")))?;
        table.insert((worker.to_owned(), kind.trim_matches('"').to_owned(), scale), speed);
    }
    Ok(table)
}

/// Reads a trace, with speeds on the classes of a cluster.
///
/// # Errors
/// [`LineError`] for a line that is not a job, or a job that no class of the cluster can run.
pub fn workload(text: &str, speeds: &Throughputs, cluster: &Cluster) -> Result<Workload, LineError> {
    let mut jobs = Vec::new();
    for (line, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
        let job = job(row, speeds, cluster).map_err(|problem| LineError { line: line + 1, problem })?;
        jobs.push(job);
    }
    Ok(Workload { jobs })
}

fn job(row: &str, speeds: &Throughputs, cluster: &Cluster) -> Result<SimJob, String> {
    let columns: Vec<&str> = row.split('\t').collect();
    let [kind, _, _, _, _, work, scale, weight, _, arrival] = columns[..] else {
        return Err(format!("expected 10 columns apart by tabs, found {}", columns.len()));
    };
    let positive = |text: &str, what: &str| {
        number(text).filter(|number| *number > 0.0).ok_or_else(|| format!("`{text}` is not a {what}"))
    };
    let gang: u32 =
        scale.parse().ok().filter(|gang| *gang > 0).ok_or_else(|| format!("`{scale}` is not a number of devices"))?;
    let on = |class: &super::ClassSize| {
        let key = (class.class.as_str().to_owned(), kind.to_owned(), gang);
        if class.devices < gang { 0.0 } else { speeds.get(&key).copied().unwrap_or(0.0) }
    };
    let job = SimJob {
        kind: kind.to_owned(),
        arrival: number(arrival).filter(|at| *at >= 0.0).ok_or_else(|| format!("`{arrival}` is not an arrival"))?,
        gang,
        work: positive(work, "number of steps")?,
        speeds: cluster.classes.iter().map(on).collect(),
        weight_milli: milli(positive(weight, "weight")?),
    };
    if job.speeds.iter().all(|speed| *speed <= 0.0) {
        let problem = format!("`{kind}` on {gang} devices: the throughputs have no class of the cluster that runs it");
        return Err(problem);
    }
    Ok(job)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and no weight comes near")]
fn milli(weight: f64) -> i32 {
    (libm::round(weight * 1e3) as i32).max(1)
}
