//! What a solver proposes, in the programme's own units, made exactly feasible where only rounding was missing.

use super::certificate::Certificate;
use super::interior::lane::{Lane, WIDTH};
use super::interior::state::State;
use super::model::{Kind, Model};
use super::program::Program;

/// Who found an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// The structured interior point.
    InteriorPoint,
    /// Clarabel, where the interior point's answer could not be proved.
    Clarabel,
}

/// An allocation with the prices that prove it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// `x[j * classes + k]`: the fraction of time that row j runs on class k.
    pub x: Vec<f64>,
    /// Utility of each row, `sum_k speed_jk x_jk`.
    pub rates: Vec<f64>,
    /// Money that each [`super::Aim::Spend`] row keeps; 0 for the others.
    pub cash: Vec<f64>,
    /// Price of a device of each class.
    pub prices: Vec<f64>,
    /// Marginal value of each row's utility, subsidy included.
    pub values: Vec<f64>,
    /// What the floor of each row adds to its marginal value: 0 unless it binds.
    pub subsidies: Vec<f64>,
    /// Devices sold of each step of each class.
    pub sold: Vec<Vec<f64>>,
    /// Rows that can run nowhere; they take no part.
    pub stranded: Vec<usize>,
    /// The proof.
    pub certificate: Certificate,
    /// Who found it.
    pub solver: Solver,
    /// Steps of the interior point.
    pub steps: u32,
}

/// What an answer is made of, in the model's places and units.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// By class of the model.
    pub prices: Vec<f64>,
    /// Fractions of time, `[block * classes + class]`.
    pub x: Vec<Lane>,
    /// Marginal values of utility without subsidies, by block.
    pub value: Vec<Lane>,
    /// Subsidies of floors.
    pub subsidy: Vec<Lane>,
    /// Money kept.
    pub cash: Vec<Lane>,
}

impl Point {
    /// Nothing.
    pub fn blank(model: &Model) -> Self {
        let lanes = || vec![Lane::ZERO; model.blocks.len()];
        let x = vec![Lane::ZERO; model.speeds.len()];
        Self { prices: vec![0.0; model.width()], x, value: lanes(), subsidy: lanes(), cash: lanes() }
    }

    /// Prices and fractions of an answer, folded to the model's rows.
    pub fn of_answer(model: &Model, answer: &Answer) -> Self {
        let (mut point, width) = (Self::blank(model), model.width());
        let classes = answer.prices.len();
        for (price, class) in point.prices.iter_mut().zip(&model.classes) {
            *price = answer.prices[class.origin] / model.money();
        }
        for (row, place) in model.places.iter().enumerate() {
            let Some(place) = *place else { continue };
            let (block, lane) = (place as usize / WIDTH, place as usize % WIDTH);
            for (k, class) in model.classes.iter().enumerate() {
                point.x[block * width + k].0[lane] = answer.x[row * classes + class.origin];
            }
        }
        point
    }

    /// Where an iterate is.
    pub fn of(state: &State) -> Self {
        Self {
            prices: state.classes.iter().map(|class| class.price).collect(),
            x: state.x.clone(),
            value: state.rows.iter().map(|row| row.value.price).collect(),
            subsidy: state.rows.iter().map(|row| row.floor.price).collect(),
            cash: state.rows.iter().map(|row| row.cash.slack).collect(),
        }
    }
}

impl Answer {
    /// An empty answer for a programme.
    pub(super) fn empty(program: &Program, solver: Solver, steps: u32) -> Self {
        let rows = program.rows.len();
        Self {
            x: vec![0.0; program.speeds.len()],
            rates: vec![0.0; rows],
            cash: vec![0.0; rows],
            prices: vec![0.0; program.classes()],
            values: vec![0.0; rows],
            subsidies: vec![0.0; rows],
            sold: program.supply.iter().map(|supply| vec![0.0; supply.steps.len()]).collect(),
            stranded: (0..rows).filter(|row| !program.can_run(*row)).collect(),
            certificate: Certificate::NONE,
            solver,
            steps,
        }
    }

    /// A point, unfolded to the programme's rows.
    pub(super) fn from_point(program: &Program, model: &Model, point: &Point, steps: u32) -> Self {
        let mut answer = Self::empty(program, Solver::InteriorPoint, steps);
        let (width, classes) = (model.width(), program.classes());
        for (class, price) in model.classes.iter().zip(&point.prices) {
            answer.prices[class.origin] = price * model.money();
        }
        for (row, place) in model.places.iter().enumerate() {
            let Some(place) = *place else { continue };
            let (block, lane) = (place as usize / WIDTH, place as usize % WIDTH);
            for (k, class) in model.classes.iter().enumerate() {
                answer.x[row * classes + class.origin] = point.x[block * width + k].0[lane];
            }
            let unit = model.money() / model.divisor[place as usize];
            if model.blocks[block].floored {
                answer.subsidies[row] = point.subsidy[block].0[lane] * unit;
            }
            answer.values[row] = point.value[block].0[lane] * unit + answer.subsidies[row];
            if model.blocks[block].kind == Kind::Spend {
                answer.cash[row] = point.cash[block].0[lane] * model.divisor[place as usize];
            }
        }
        answer.settle(program);
        answer
    }

    /// Takes away what rounding left too much of, and computes what follows from `x`.
    pub(super) fn settle(&mut self, program: &Program) {
        let classes = program.classes();
        let mut used = vec![0.0; classes];
        for (row, x) in self.x.chunks_exact_mut(classes.max(1)).enumerate() {
            let mut time = 0.0;
            for x in x.iter_mut() {
                *x = x.clamp(0.0, 1.0);
                time += *x;
            }
            for (x, used) in x.iter_mut().zip(&mut used) {
                *x /= time.max(1.0);
                *used += program.rows[row].gang * *x;
            }
        }
        let scale: Vec<f64> = (0..classes).map(|class| part(program.capacity(class), used[class])).collect();
        for (row, x) in self.x.chunks_exact_mut(classes.max(1)).enumerate() {
            let mut rate = 0.0;
            for ((x, scale), speed) in x.iter_mut().zip(&scale).zip(program.speeds_of(row)) {
                *x *= scale;
                rate += speed * *x;
            }
            self.rates[row] = rate;
        }
        self.sold = (0..classes).map(|class| cheapest_first(program, class, used[class] * scale[class])).collect();
    }
}

fn part(capacity: f64, used: f64) -> f64 {
    if used > capacity { capacity / used } else { 1.0 }
}

/// Sells what is used beyond the free devices, the lowest asks first.
fn cheapest_first(program: &Program, class: usize, used: f64) -> Vec<f64> {
    let supply = &program.supply[class];
    let mut order: Vec<usize> = (0..supply.steps.len()).collect();
    order.sort_by(|a, b| supply.steps[*a].ask.total_cmp(&supply.steps[*b].ask).then(a.cmp(b)));
    let mut left = (used - supply.free).max(0.0);
    let mut sold = vec![0.0; supply.steps.len()];
    for step in order {
        sold[step] = left.min(supply.steps[step].devices);
        left -= sold[step];
    }
    sold
}
