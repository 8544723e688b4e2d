//! Hidden payments on instances from seeds: processor time of all optima without one job, found from the one with all, next
//! to that of the same programmes solved from nothing, in turns.

use scheduler::solve::{Aim, Answer, Instance, Payments, Program, SolveError, payments, solve};
use serde::Serialize;

use super::stopwatch::ProcessorTime;

/// Turns of which the median counts.
const TURNS: usize = 3;
/// Programmes solved from nothing in a turn at most; of more jobs, every so many.
const COLD_MAX: usize = 512;

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Paid {
    /// Jobs.
    pub jobs: usize,
    /// Distinct ones: as many programmes.
    pub solves: u32,
    /// Processor time of all payments, proofs included; the optimum with all jobs is there before.
    pub cpu_ms: f64,
    /// Processor time of as many programmes solved from nothing, proofs included: the mean of those measured, times `solves`.
    pub cold_cpu_ms: f64,
    /// How many were solved from nothing in a turn.
    pub cold_measured: usize,
    /// `cpu_ms / cold_cpu_ms` of each turn, in the middle.
    pub ratio: f64,
    /// Whether all answers were proved.
    pub certified: bool,
    /// Optima that had to be found from nothing after all; their time is in `cpu_ms`.
    pub warm_starts_failed: u32,
    /// The largest error of a payment's logarithm that the proofs leave open.
    pub error: f64,
    /// The largest difference of a payment's logarithm to that from a solve from nothing.
    pub apart: f64,
}

/// Computes an instance's payments both ways.
///
/// # Errors
/// Why there is no certified answer.
pub fn measure(instance: &Instance) -> Result<Paid, SolveError> {
    let program = instance.program();
    let with = solve(&program)?;
    let rows: Vec<usize> = (0..program.rows.len()).step_by(program.rows.len().div_ceil(COLD_MAX).max(1)).collect();
    let (mut warm, mut cold, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut found, mut apart) = (payments(&program, &with)?, 0.0_f64);
    for _ in 0..TURNS {
        let time = ProcessorTime::start();
        found = payments(&program, &with)?;
        warm.push(time.milliseconds());
        let (milliseconds, off) = from_nothing(&program, &with, &rows, &found)?;
        cold.push(milliseconds * f64::from(found.solves));
        ratios.push(warm[warm.len() - 1] / cold[cold.len() - 1]);
        apart = apart.max(off);
    }
    Ok(Paid {
        jobs: program.rows.len(),
        solves: found.solves,
        cpu_ms: middle(warm),
        cold_cpu_ms: middle(cold),
        cold_measured: rows.len(),
        ratio: middle(ratios),
        certified: true,
        warm_starts_failed: found.cold,
        error: found.error.iter().copied().fold(0.0, f64::max),
        apart,
    })
}

/// The mean time of a solve from nothing, and the largest difference to payments found before.
fn from_nothing(program: &Program, with: &Answer, rows: &[usize], found: &Payments) -> Result<(f64, f64), SolveError> {
    let (mut milliseconds, mut apart, mut count) = (0.0, 0.0_f64, 0.0);
    for row in rows {
        let mut others = program.clone();
        others.rows.remove(*row);
        others.speeds.drain(row * program.classes()..(row + 1) * program.classes());
        let time = ProcessorTime::start();
        let answer = solve(&others)?;
        milliseconds += time.milliseconds();
        count += 1.0;
        let Aim::Log { weight } = program.rows[*row].aim else { continue };
        let own = weight * with.rates[*row].ln();
        let log = (with.certificate.objective - own - answer.certificate.objective) / weight;
        apart = apart.max((log - found.log_kept[*row]).abs());
    }
    Ok((milliseconds / f64::max(count, 1.0), apart))
}

fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
