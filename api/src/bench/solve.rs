//! The solver on instances from seeds: processor time of a cold solve, and what its certificate proves.

use scheduler::solve::{Instance, SolveError, solve};
use serde::Serialize;

use super::stopwatch::ProcessorTime;

/// Solves of which the median counts.
const REPEATS: usize = 5;

/// A measured solve.
#[derive(Debug, Clone, Serialize)]
pub struct Solved {
    /// The objective, over the jobs that can run.
    pub objective: f64,
    /// Processor time of one cold solve with its certificate: the median of several.
    pub cpu_ms: f64,
    /// Steps of the interior point.
    pub iterations: u32,
    /// Whether the certificate holds.
    pub certified: bool,
    /// What it leaves open.
    pub gap: f64,
}

/// Solves an instance several times from nothing.
///
/// # Errors
/// Why there is no certified answer.
pub fn measure(instance: &Instance) -> Result<Solved, SolveError> {
    let program = instance.program();
    let mut times = Vec::with_capacity(REPEATS);
    let mut answer = None;
    for _ in 0..REPEATS {
        let time = ProcessorTime::start();
        let found = solve(&program)?;
        times.push(time.milliseconds());
        answer = Some(found);
    }
    times.sort_by(f64::total_cmp);
    let certificate = answer.as_ref().map_or(scheduler::solve::Certificate::NONE, |answer| answer.certificate);
    Ok(Solved {
        objective: certificate.objective,
        cpu_ms: times[REPEATS / 2],
        iterations: answer.map_or(0, |answer| answer.steps),
        certified: certificate.holds(),
        gap: certificate.gap,
    })
}
