//! Fractional allocations: concave programmes over jobs and classes, solved fast and proved each time.
//!
//! Lives here: the programme, a structured interior point for it, the fallback, and the certificate that judges both. Must
//! not live here: what a policy wants (`clearing`), whole gangs (`gang`), money (integers, elsewhere). Floats stay inside.
//!
//! What cannot be proved is refused; there is no second solver behind it yet, and no policy uses it yet.

pub mod answer;
pub mod certificate;
pub mod instance;
mod interior;
mod model;
pub mod program;

pub use answer::{Answer, Solver};
pub use certificate::{Certificate, GAP_MAX};
pub use instance::{Instance, Objective};
pub use program::{Aim, Program, Row, SolveError, Step, Supply};

use interior::state::State;
use model::Model;

/// Products of pairs at which the certificate is asked, one after the other until it is content. Rounding in the Newton
/// steps grows like the inverse of the product, so that the smallest is not always the best.
const TARGETS: [f64; 8] = [1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11];
/// A gap with which there is no reason to go on.
const CONTENT: f64 = 1e-9;

/// Solves a programme from nothing.
///
/// # Errors
/// What is wrong with the programme, or that no certified answer was found: never an unproved one.
pub fn solve(program: &Program) -> Result<Answer, SolveError> {
    program.check()?;
    let model = Model::new(program);
    let mut state = State::new(&model);
    let (mut steps, mut best) = (0, Answer::empty(program, Solver::InteriorPoint, 0));
    best.sold = program.supply.iter().map(|supply| vec![0.0; supply.steps.len()]).collect();
    best.certificate = Certificate::of(program, &best);
    for target in TARGETS {
        steps += interior::run(&model, &mut state, target, interior::STEPS_MAX.saturating_sub(steps));
        let mut answer = Answer::from_state(program, &model, &state, steps);
        answer.certificate = Certificate::of(program, &answer);
        let better = answer.certificate.gap < best.certificate.gap || !best.certificate.gap.is_finite();
        if answer.certificate.violation.is_finite() && better {
            best = answer;
        }
        if best.certificate.gap <= CONTENT {
            break;
        }
    }
    if best.certificate.holds() {
        return Ok(best);
    }
    Err(SolveError::NotCertified { gap: best.certificate.gap })
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
