//! Clarabel, asked in one way: deterministic, silent, as exact as it can. What its numbers prove is the caller's to check.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, SolverError, SupportedConeT};

/// How exactly it is asked to solve.
const TOLERANCE: f64 = 1e-10;

/// `maximise gains . y` with `limits - matrix y` in the cones. `entries` are row, column and value.
pub(crate) fn solve(
    gains: &[f64],
    entries: &[(usize, usize, f64)],
    limits: &[f64],
    cones: &[SupportedConeT<f64>],
) -> Result<DefaultSolution<f64>, SolverError> {
    let count = gains.len();
    let costs: Vec<f64> = gains.iter().map(|gain| -gain).collect();
    let matrix = CscMatrix::new_from_triplets(
        limits.len(),
        count,
        entries.iter().map(|(row, ..)| *row).collect(),
        entries.iter().map(|(_, column, _)| *column).collect(),
        entries.iter().map(|(.., value)| *value).collect(),
    );
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        ..DefaultSettings::default()
    };
    let quadratic = CscMatrix::zeros((count, count));
    let mut solver = DefaultSolver::new(&quadratic, &costs, &matrix, limits, cones, settings)?;
    solver.solve();
    Ok(solver.solution)
}
