//! Fractional allocations: concave programmes over jobs and classes, solved fast and proved each time.
//!
//! Lives here: the programme, a structured interior point for it, the fallback, and the certificate that judges both. Must
//! not live here: what a policy wants (`clearing`), whole gangs (`gang`), money (integers, elsewhere). Floats stay inside.
//!
//! What cannot be proved is refused.

pub mod answer;
pub mod certificate;
pub(crate) mod conic;
mod fallback;
pub mod instance;
mod interior;
mod leave_one_out;
mod model;
mod polish;
pub mod program;
mod start;

pub use answer::{Answer, Solver};
pub use certificate::{Certificate, GAP_MAX};
pub use instance::{Instance, Objective};
pub use leave_one_out::{LeaveOneOut, Payments, Without, payments};
pub use program::{Aim, Program, Row, SolveError, Step, Supply};

use std::sync::atomic::{AtomicU64, Ordering};

use answer::Point;
use interior::state::State;
use model::Model;

/// Products of pairs at which the certificate is asked, one after the other until it is content. Rounding in the Newton
/// steps grows like the inverse of the product, so that the smallest is not always the best.
const TARGETS: [f64; 8] = [1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11];
/// A gap with which there is no reason to go on. A level is every row's, so that its gap is each row's error; under a sum
/// of logarithms single rows may be further off than their mean, by the root of it: there only the polish ends earlier.
fn content(program: &Program) -> f64 {
    if program.is_level() { 0.5 * GAP_MAX } else { EXACT }
}

/// A gap that is rounding.
const EXACT: f64 = 1e-12;

/// How often this process had to fall back. It is told to whoever operates it; nothing is decided by it.
static FALLBACKS: AtomicU64 = AtomicU64::new(0);

/// How often the certificate refused the interior point's answer since this process began, so that Clarabel was asked.
#[must_use]
pub fn fallbacks() -> u64 {
    FALLBACKS.load(Ordering::Relaxed)
}

/// Solves a programme from nothing.
///
/// # Errors
/// What is wrong with the programme, or that no certified answer was found: never an unproved one.
pub fn solve(program: &Program) -> Result<Answer, SolveError> {
    program.check()?;
    let model = Model::new(program);
    if start::has_sample(&model) {
        let answer = improve(program, &model, start::from_sample(&model), interior::STEPS_MAX);
        if answer.certificate.holds() {
            return Ok(answer);
        }
    }
    from_nothing(program, &model, interior::STEPS_MAX)
}

/// Solves a programme from the prices of one that is much like it: the same classes, most of the same rows.
///
/// # Errors
/// As [`solve`].
pub fn solve_near(program: &Program, prices: &[f64]) -> Result<Answer, SolveError> {
    program.check()?;
    let model = Model::new(program);
    if !model.is_level() {
        let answer = improve(program, &model, start::from_prices(&model, prices), interior::STEPS_MAX);
        if answer.certificate.holds() {
            return Ok(answer);
        }
    }
    from_nothing(program, &model, interior::STEPS_MAX)
}

/// The interior point from a start of its own, then the fallback.
fn from_nothing(program: &Program, model: &Model, steps_max: u32) -> Result<Answer, SolveError> {
    let answer = improve(program, model, State::new(model), steps_max);
    if answer.certificate.holds() {
        return Ok(answer);
    }
    FALLBACKS.fetch_add(1, Ordering::Relaxed);
    let other = fallback::solve(program, model, answer.steps);
    if other.certificate.holds() {
        return Ok(other);
    }
    Err(SolveError::NotCertified { gap: answer.certificate.gap.min(other.certificate.gap) })
}

/// Lowers the products until the optimum can be told exactly or the certificate is content; the answer whose proof is best.
fn improve(program: &Program, model: &Model, mut state: State, steps_max: u32) -> Answer {
    let (mut steps, mut best) = (0, Answer::empty(program, Solver::InteriorPoint, 0));
    best.certificate = Certificate::of(program, &best);
    let told_apart = polish::told_apart(model);
    for target in TARGETS {
        steps += interior::run(model, &mut state, target, steps_max.saturating_sub(steps));
        let mut consider = |point: &Point| {
            let mut answer = Answer::from_point(program, model, point, steps);
            answer.certificate = Certificate::of(program, &answer);
            let better = answer.certificate.gap < best.certificate.gap || !best.certificate.gap.is_finite();
            if answer.certificate.violation.is_finite() && better {
                best = answer;
            }
            best.certificate
        };
        if target <= told_apart
            && let Some(point) = polish::polish(model, &state)
            && consider(&point).gap <= EXACT
        {
            break;
        }
        if consider(&Point::of(&state)).gap <= content(program) {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_objective_is_certified_over_sizes_and_seeds() {
        for objective in [Objective::Nash, Objective::MaxMin, Objective::Exchange] {
            for (jobs, classes) in [(64, 3), (256, 8), (1024, 3)] {
                for seed in 0..5 {
                    let program = Instance::new(objective, jobs, classes, seed).program();
                    let answer = solve(&program).unwrap_or_else(|error| {
                        panic!("{objective:?} of {jobs} jobs, {classes} classes, seed {seed}: {error}")
                    });
                    assert!(answer.certificate.holds());
                }
            }
        }
    }

    #[test]
    fn the_fallback_is_proved_as_well_and_agrees_to_a_millionth_per_job() {
        for objective in [Objective::Nash, Objective::MaxMin, Objective::Exchange] {
            for seed in 0..5 {
                let program = Instance::new(objective, 64, 3, seed).program();
                let own = solve(&program).expect("a proof");
                let other = fallback::solve(&program, &Model::new(&program), 0);
                assert_eq!(other.solver, Solver::Clarabel);
                assert!(other.certificate.holds(), "{objective:?}, seed {seed}: {:?}", other.certificate);
                let (a, b) = (own.certificate.objective, other.certificate.objective);
                let unit = if objective == Objective::MaxMin { a } else { 64.0 };
                assert!((a - b).abs() <= 1e-6 * unit, "{objective:?}, seed {seed}: {a} and {b}");
            }
        }
    }

    #[test]
    fn single_rates_agree_with_the_fallbacks() {
        for (jobs, classes) in [(64, 3), (64, 8), (512, 3), (512, 8)] {
            for seed in 0..5 {
                let program = Instance::new(Objective::Nash, jobs, classes, seed).program();
                let own = solve(&program).expect("a proof");
                let other = fallback::solve(&program, &Model::new(&program), 0);
                let apart = own.rates.iter().zip(&other.rates).map(|(a, b)| ((a - b) / a).abs());
                let most = apart.fold(0.0, f64::max);
                assert!(most <= 1e-6, "{jobs} jobs, {classes} classes, seed {seed}: apart by {most:e}");
            }
        }
    }

    #[test]
    fn what_the_interior_point_does_not_prove_falls_back_is_counted_and_is_proved() {
        for objective in [Objective::Nash, Objective::MaxMin, Objective::Exchange] {
            let program = Instance::new(objective, 64, 3, 1).program();
            let before = fallbacks();
            // Two steps lead nowhere near.
            let answer = from_nothing(&program, &Model::new(&program), 2).expect("a proof");
            assert_eq!(answer.solver, Solver::Clarabel, "{objective:?}");
            assert!(answer.certificate.holds(), "{objective:?}: {:?}", answer.certificate);
            assert!(fallbacks() > before, "{objective:?}");
        }
    }

    #[test]
    fn floors_are_met_and_their_subsidy_is_reported() {
        let row = |floor| Row { aim: Aim::Log { weight: 1.0 }, gang: 1.0, floor };
        let supply = vec![Supply { free: 1.0, steps: Vec::new() }];
        let program = Program { rows: vec![row(0.75), row(0.0), row(0.0)], speeds: vec![1.0; 3], supply };
        for answer in [solve(&program).expect("a proof"), fallback::solve(&program, &Model::new(&program), 0)] {
            assert!(answer.certificate.holds(), "{:?}", answer.certificate);
            assert!((answer.rates[0] - 0.75).abs() < 1e-6 && (answer.rates[1] - 0.125).abs() < 1e-6, "{answer:?}");
            // A device costs 8 here; of its time's value the first row would itself only pay 1 / 0.75.
            assert!((answer.subsidies[0] - (8.0 - 1.0 / 0.75)).abs() < 1e-3, "{:?}", answer.subsidies);
        }
    }

    #[test]
    fn two_equal_jobs_share_a_device_equally() {
        let row = Row { aim: Aim::Log { weight: 1.0 }, gang: 1.0, floor: 0.0 };
        let supply = vec![Supply { free: 1.0, steps: Vec::new() }];
        let answer = solve(&Program { rows: vec![row; 2], speeds: vec![3.0; 2], supply }).expect("a proof");
        assert!(answer.x.iter().all(|x| (x - 0.5).abs() < 1e-6), "{:?}", answer.x);
        assert!((answer.prices[0] - 2.0).abs() < 1e-5, "{:?}", answer.prices);
    }

    #[test]
    fn a_number_without_meaning_is_refused_by_name() {
        let row = Row { aim: Aim::Pay, gang: 1.0, floor: 0.0 };
        let supply = vec![Supply { free: 1.0, steps: Vec::new() }];
        let refused = solve(&Program { rows: vec![row], speeds: vec![f64::NAN], supply });
        let said = refused.expect_err("not a number").to_string();
        assert_eq!(said, "the speed of row 0 on class 0 is NaN; it must be finite and at least 0");
    }
}
