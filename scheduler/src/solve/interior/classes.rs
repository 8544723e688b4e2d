//! The small system that couples all rows: prices of classes, steps of supply, and the level.

use super::factor::Schur;
use super::state::{Scalar, State};
use crate::solve::model::Model;

/// The step of the classes, once solved.
#[derive(Debug, Clone)]
pub struct ClassStep {
    /// Step of the prices.
    pub prices: Vec<f64>,
    /// Step of the level.
    pub level: f64,
}

/// The factored system.
#[derive(Debug)]
pub struct Coupling {
    cholesky: Vec<f64>,
    level_row: Vec<f64>,
    level_curvature: f64,
}

/// What pairs of the classes aim at.
#[derive(Debug, Clone, Copy)]
pub struct Aim {
    /// The product; 0 for the affine step.
    pub mu: f64,
    /// Whether the affine step, still stored, corrects the products.
    pub corrected: bool,
}

impl Coupling {
    /// Adds the classes' own curvature and factors.
    pub fn new(state: &State, schur: &Schur) -> Self {
        let width = schur.right.len();
        let mut matrix = schur.matrix.clone();
        let level = schur.level_curvature;
        for k in 0..width {
            for l in 0..=k {
                if level > 0.0 {
                    matrix[k * (k + 1) / 2 + l] += schur.level_row[k] * schur.level_row[l] / level;
                }
            }
            let class = state.classes[k];
            let steps: f64 = state.steps[k].iter().map(|step| 1.0 / curvature(step.sold, step.left)).sum();
            matrix[k * (k + 1) / 2 + k] += class.slack / class.price + steps;
        }
        cholesky(&mut matrix, width);
        Self { cholesky: matrix, level_row: schur.level_row.clone(), level_curvature: level }
    }

    /// Solves for prices and level, given what the rows add to the right sides.
    pub fn solve(&self, model: &Model, state: &State, rows: (&[f64], f64), demand: &[f64], aim: Aim) -> ClassStep {
        let width = state.classes.len();
        let mut right: Vec<f64> = (0..width).map(|k| rows.0[k] + own_right(model, state, demand, k, aim)).collect();
        if self.level_curvature > 0.0 {
            for (right, level_row) in right.iter_mut().zip(&self.level_row) {
                *right += level_row * rows.1 / self.level_curvature;
            }
        }
        substitute(&self.cholesky, &mut right);
        let level = if self.level_curvature > 0.0 {
            let taken: f64 = self.level_row.iter().zip(&right).map(|(row, price)| row * price).sum();
            (rows.1 - taken) / self.level_curvature
        } else {
            0.0
        };
        ClassStep { prices: right, level }
    }
}

/// Everything in a class's right side that is not a row's.
fn own_right(model: &Model, state: &State, demand: &[f64], k: usize, aim: Aim) -> f64 {
    let class = state.classes[k];
    let sold: f64 = state.steps[k].iter().map(|step| step.sold.slack).sum();
    let steps: f64 = (0..state.steps[k].len())
        .map(|m| step_right(model, state, k, m, aim) / curvature(state.steps[k][m].sold, state.steps[k][m].left))
        .sum();
    let over = demand[k] - model.classes[k].free - sold;
    over + aim.mu / class.price - class.slack * second(class, aim) - steps
}

fn curvature(sold: Scalar, left: Scalar) -> f64 {
    sold.price / sold.slack + left.price / left.slack
}

fn second(pair: Scalar, aim: Aim) -> f64 {
    if aim.corrected { pair.slack_step * pair.price_step } else { 0.0 }
}

fn step_right(model: &Model, state: &State, k: usize, m: usize, aim: Aim) -> f64 {
    let step = state.steps[k][m];
    let offer = model.classes[k].steps[m];
    let price = state.classes[k].price;
    let residual = step.sold.slack + step.left.slack - offer.devices;
    price - offer.ask + aim.mu / step.sold.slack - step.sold.price * second(step.sold, aim) - aim.mu / step.left.slack
        + step.left.price * second(step.left, aim)
        - step.left.price / step.left.slack * residual
}

/// Sets the relative steps of classes and supply; returns the largest falls of primal and dual numbers, and the sums of
/// products times the first and times both relative steps.
pub fn apply(model: &Model, state: &mut State, step: &ClassStep, aim: Aim) -> [f64; 4] {
    let mut sums = [0.0, 0.0, 0.0, 0.0];
    state.level_step = step.level;
    for k in 0..state.classes.len() {
        let price_step = step.prices[k];
        for m in 0..state.steps[k].len() {
            let right = step_right(model, state, k, m, aim);
            let it = &mut state.steps[k][m];
            let residual = it.sold.slack + it.left.slack - model.classes[k].steps[m].devices;
            let sold = (price_step + right) / curvature(it.sold, it.left);
            let left_price = aim.mu / it.left.slack - it.left.price * (1.0 + second(it.left, aim))
                + it.left.price / it.left.slack * (residual + sold);
            let (sold_step, left_step) = (sold / it.sold.slack, left_price / it.left.price);
            from_slack(&mut it.sold, sold_step, aim, &mut sums);
            from_price(&mut it.left, left_step, aim, &mut sums);
        }
        let class = &mut state.classes[k];
        from_price(class, price_step / class.price, aim, &mut sums);
    }
    sums
}

fn from_slack(pair: &mut Scalar, step: f64, aim: Aim, sums: &mut [f64; 4]) {
    let other = aim.mu / (pair.slack * pair.price) - second(*pair, aim) - 1.0 - step;
    (pair.slack_step, pair.price_step) = (step, other);
    weigh(*pair, sums);
}

fn from_price(pair: &mut Scalar, step: f64, aim: Aim, sums: &mut [f64; 4]) {
    let other = aim.mu / (pair.slack * pair.price) - second(*pair, aim) - 1.0 - step;
    (pair.slack_step, pair.price_step) = (other, step);
    weigh(*pair, sums);
}

fn weigh(pair: Scalar, sums: &mut [f64; 4]) {
    let linear = pair.slack * pair.price * pair.slack_step;
    sums[0] = sums[0].max(-pair.slack_step);
    sums[1] = sums[1].max(-pair.price_step);
    sums[2] += linear;
    sums[3] += linear * pair.price_step;
}

/// Cholesky in place, lower triangle by rows. A pivot lost to rounding is replaced by a huge one: that price stays.
fn cholesky(matrix: &mut [f64], width: usize) {
    let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
    for k in 0..width {
        for l in 0..=k {
            let sum: f64 = (0..l).map(|i| matrix[at(k, i)] * matrix[at(l, i)]).sum();
            let rest = matrix[at(k, l)] - sum;
            matrix[at(k, l)] = if k != l {
                rest / matrix[at(l, l)]
            } else if rest > matrix[at(k, k)].abs() * 1e-15 {
                rest.sqrt()
            } else {
                1e100
            };
        }
    }
}

fn substitute(cholesky: &[f64], right: &mut [f64]) {
    let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
    for k in 0..right.len() {
        let sum: f64 = (0..k).map(|i| cholesky[at(k, i)] * right[i]).sum();
        right[k] = (right[k] - sum) / cholesky[at(k, k)];
    }
    for k in (0..right.len()).rev() {
        let sum: f64 = (k + 1..right.len()).map(|i| cholesky[at(i, k)] * right[i]).sum();
        right[k] = (right[k] - sum) / cholesky[at(k, k)];
    }
}
