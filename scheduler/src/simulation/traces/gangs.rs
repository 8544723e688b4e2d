//! Rows of traces as gangs for [`crate::simulation::run`], with speeds on the classes of a cluster.

use super::shockwave::{self, Line};
use super::table::LineError;
use super::tiresias::TimedJob;
use crate::simulation::{Cluster, SimJob, Workload};

/// Shockwave's jobs. Their work is the seconds they need alone, done at one second per second on every class.
///
/// # Errors
/// A line of the profile or of the throughputs that cannot be read, or a job that they do not know.
pub fn shockwave(lines: &[Line], times: &str, cluster: &Cluster) -> Result<Workload, LineError> {
    let worker = cluster.classes.first().map_or("v100", |class| class.class.as_str());
    let exclusive_s = if shockwave::is_profile(times) {
        let profile = shockwave::profile(times)?;
        let known = (0..lines.len()).map(|job| {
            let found = profile.get(&job).map(|profile| profile.exclusive_s);
            found.ok_or_else(|| LineError::new(job + 1, format!("the profile has no job {job}, which this line is")))
        });
        known.collect::<Result<Vec<f64>, LineError>>()?
    } else {
        shockwave::exclusive_s(lines, times, worker)?
    };
    let jobs = lines.iter().zip(exclusive_s).map(|(line, work)| SimJob {
        kind: line.job_type.clone(),
        arrival: line.arrival_s,
        gang: line.gang,
        work,
        speeds: vec![1.0; cluster.classes.len()],
        weight_milli: milli(line.weight),
    });
    Ok(Workload { jobs: jobs.collect() })
}

/// Jobs of known duration: one second per second on the classes whose name is among their models, or on any.
#[must_use]
pub fn timed(jobs: &[TimedJob], cluster: &Cluster) -> Workload {
    let jobs = jobs.iter().map(|job| {
        let allowed =
            |class: &str| job.models.is_empty() || job.models.iter().any(|model| model.eq_ignore_ascii_case(class));
        let speeds = cluster.classes.iter().map(|class| if allowed(class.class.as_str()) { 1.0 } else { 0.0 });
        SimJob {
            kind: job.models.join("|"),
            arrival: job.arrival_s,
            gang: job.gang,
            work: job.duration_s,
            speeds: speeds.collect(),
            weight_milli: 1000,
        }
    });
    Workload { jobs: jobs.collect() }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and no weight comes near")]
fn milli(weight: f64) -> i32 {
    (libm::round(weight * 1e3) as i32).max(1)
}
