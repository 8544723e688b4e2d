//! What each row's presence costs the others: the optimum without it, from the optimum with all.
//!
//! ```text
//! ln c_i = ( sum_(j != i) w_j ln u_j(x*) - max over x of sum_(j != i) w_j ln u_j(x) ) / w_i
//! ```
//!
//! is the part of its share that row i keeps under partial allocation (Cole, Gkatzelis and Goel 2013, theirs with weights);
//! the payment is hidden in the rest. Each maximum is an answer to the programme without the row and proved like any other.
//! Without one row only the classes' prices move, and by little: `polish::nearby` ends there in a few Newton steps on as
//! many numbers as there are classes. Where it does not, or the proof is worse than rounding, the programme is solved from
//! nothing, and that is counted. Rows that agree in everything are asked once.

use super::answer::{Answer, Point};
use super::certificate::Certificate;
use super::interior::lane::WIDTH;
use super::model::Model;
use super::polish::Optimum;
use super::program::{Aim, Program, SolveError};
use super::{EXACT, solve};

/// What each row keeps, by row of the programme; the programme's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Payments {
    /// `ln c`: at most 0, and at least -1 but for the error. 0 for rows that can run nowhere.
    pub log_kept: Vec<f64>,
    /// By how much the logarithm of what a row has after payment, `c_i u_i`, can be off the exact mechanism's: what the
    /// certificates with and without the row leave open, and the rounding of their sums, per unit of its weight.
    pub error: Vec<f64>,
    /// Programmes solved: one for each distinct row.
    pub solves: u32,
    /// Those of them that were solved from nothing.
    pub cold: u32,
}

/// The optimum without one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Without {
    /// The programme without the row; the others in their order.
    pub program: Program,
    /// Its certified answer.
    pub answer: Answer,
    /// Whether it was solved from nothing.
    pub cold: bool,
}

/// A programme with its optimum, from which those without one row are found.
#[derive(Debug)]
pub struct LeaveOneOut<'a> {
    program: &'a Program,
    model: Model,
    optimum: Option<Optimum>,
}

/// Payments for an answer that [`super::solve`] gave to the programme.
///
/// # Errors
/// As [`LeaveOneOut::new`] and [`LeaveOneOut::without`].
pub fn payments(program: &Program, answer: &Answer) -> Result<Payments, SolveError> {
    let mut others = LeaveOneOut::new(program, answer)?;
    let rows = program.rows.len();
    let mut payments = Payments { log_kept: vec![0.0; rows], error: vec![0.0; rows], solves: 0, cold: 0 };
    let mut known: Vec<Option<(f64, f64)>> = vec![None; others.model.blocks.len() * WIDTH];
    for row in 0..rows {
        let Some(place) = others.model.places[row] else { continue };
        let found = if let Some(found) = known[place as usize] {
            found
        } else {
            let without = others.without(row)?;
            payments.solves += 1;
            payments.cold += u32::from(without.cold);
            kept(program, answer, row, &without.answer.certificate)
        };
        known[place as usize] = Some(found);
        (payments.log_kept[row], payments.error[row]) = found;
    }
    Ok(payments)
}

/// `ln c` of a row, and its error.
fn kept(program: &Program, with: &Answer, row: usize, without: &Certificate) -> (f64, f64) {
    let Aim::Log { weight } = program.rows[row].aim else { return (0.0, f64::INFINITY) };
    let own = weight * libm::log(with.rates[row]);
    let others = with.certificate.objective - own;
    let open = |proof: &Certificate| (proof.bound - proof.objective).abs() + ROUNDING * proof.objective.abs();
    let error = open(&with.certificate) + open(without) + ROUNDING * own.abs();
    (((others - without.objective) / weight).min(0.0), error / weight)
}

/// Of a sum of logarithms, relative to it.
const ROUNDING: f64 = 1e-13;

impl<'a> LeaveOneOut<'a> {
    /// Makes ready.
    ///
    /// # Errors
    /// A number without meaning, or a programme that does not maximise a product of rates: every aim has to be a logarithm,
    /// without a floor, and every device free.
    pub fn new(program: &'a Program, answer: &Answer) -> Result<Self, SolveError> {
        program.check()?;
        let product = |row: usize| matches!(program.rows[row].aim, Aim::Log { .. }) && program.rows[row].floor <= 0.0;
        if let Some(row) = (0..program.rows.len()).find(|row| !product(*row)) {
            return Err(SolveError::NoProduct { place: format!("row {row}") });
        }
        if let Some(class) = program.supply.iter().position(|supply| !supply.steps.is_empty()) {
            return Err(SolveError::NoProduct { place: format!("class {class}") });
        }
        let model = Model::new(program);
        let optimum = Optimum::at(&model, &Point::of_answer(&model, answer));
        Ok(Self { program, model, optimum })
    }

    /// The optimum without a row of the programme.
    ///
    /// # Errors
    /// That no certified answer was found.
    pub fn without(&mut self, row: usize) -> Result<Without, SolveError> {
        let mut program = self.program.clone();
        program.rows.remove(row);
        let classes = program.classes();
        program.speeds.drain(row * classes..(row + 1) * classes);
        if let Some(answer) = self.warm(&program, row) {
            return Ok(Without { program, answer, cold: false });
        }
        let answer = solve(&program)?;
        Ok(Without { program, answer, cold: true })
    }

    /// From the optimum with all rows; none where the certificate is not content.
    fn warm(&mut self, program: &Program, row: usize) -> Option<Answer> {
        let optimum = self.optimum.as_ref()?;
        let place = self.model.places.remove(row);
        let answer = match place {
            None => None,
            Some(place) => {
                let (block, lane) = (place as usize / WIDTH, place as usize % WIDTH);
                self.model.blocks[block].count.0[lane] -= 1.0;
                let point = optimum.without(&self.model, place as usize);
                let answer = point.map(|point| Answer::from_point(program, &self.model, &point, 0));
                self.model.blocks[block].count.0[lane] += 1.0;
                answer
            }
        };
        self.model.places.insert(row, place);
        let mut answer = answer?;
        answer.certificate = Certificate::of(program, &answer);
        (answer.certificate.holds() && answer.certificate.gap <= EXACT).then_some(answer)
    }
}
