//! A structured primal-dual interior point: Mehrotra's predictor and corrector, with one small system over the classes.
//!
//! Each row keeps `u v = w` (marginal value) beside its complementarity pairs, so that all other conditions are linear and
//! logarithms are as easy as linear aims. A step costs `O(rows * classes^2)`. What it returns is only a proposal: the
//! certificate is computed elsewhere, from the programme.

#![expect(clippy::needless_range_loop, reason = "several arrays run over the same classes")]

mod classes;
mod direction;
mod factor;
pub mod lane;
pub mod start;
pub mod state;

use super::model::{Kind, Model};
use classes::{Aim, ClassStep, Coupling};
use direction::{Corrections, Prices, direction};
use factor::{Schur, factor};
use lane::Lane;
use state::{Pair, Scalar, State};

/// Steps after which no answer is expected any more.
pub const STEPS_MAX: u32 = 60;

/// Goes on from `state` until products are at most `target`, or steps run out; returns how many were taken.
pub fn run(model: &Model, state: &mut State, target: f64, steps_max: u32) -> u32 {
    let width = model.width();
    let pairs = count_pairs(model);
    let mut schur = Schur::new(width);
    let mut factor_scratch = factor::Scratch::new(width);
    let mut scratch = direction::Scratch::new(width);
    let mut corrections =
        Corrections { mu: vec![0.0; width], second: vec![0.0; width], level_mu: 0.0, level_second: 0.0 };
    for step in 0..steps_max {
        let totals = factor(model, state, &mut factor_scratch, &mut schur);
        for (k, class) in state.classes.iter_mut().enumerate() {
            let sold: f64 = state.steps[k].iter().map(|step| step.sold.slack).sum();
            let left = model.classes[k].free + sold - schur.demand[k];
            if left > 0.5 * class.slack && left < 2.0 * class.slack {
                class.slack = left;
            }
        }
        let class_gap: f64 = scalars(state).map(|pair| pair.slack * pair.price).sum();
        let mu = (totals.gap + class_gap) / pairs;
        if !mu.is_finite() || mu <= target {
            return step;
        }
        let coupling = Coupling::new(state, &schur);

        let aim = Aim { mu: 0.0, corrected: false };
        let rows = (schur.right.as_slice(), schur.level_right);
        let affine = coupling.solve(model, state, rows, &schur.demand, aim);
        let reach = take(model, state, &affine, aim, &mut scratch, Some(&mut corrections));
        let (primal, dual) = (reach.length_primal(1.0), reach.length_dual(1.0));
        // Price steps of pairs are -1 - slack steps here, so the sum of products times price steps is known as well.
        let gap = totals.gap + class_gap;
        let fallen = gap + primal * reach.linear - dual * (gap + reach.linear) + primal * dual * reach.quadratic;
        let sigma = (fallen / gap).clamp(0.0, 1.0);
        let goal = (sigma * sigma * sigma * mu).max(0.1 * target.min(mu));

        let right: Vec<f64> =
            (0..width).map(|k| schur.right[k] + goal * corrections.mu[k] + corrections.second[k]).collect();
        let level_right = schur.level_right + goal * corrections.level_mu + corrections.level_second;
        let aim = Aim { mu: goal, corrected: true };
        let chosen = coupling.solve(model, state, (&right, level_right), &schur.demand, aim);
        let reach = take(model, state, &chosen, aim, &mut scratch, None);
        let damping = (1.0 - mu).clamp(0.9, 0.9995);
        let (primal, dual) = (reach.length_primal(damping), reach.length_dual(damping));
        advance(state, primal, dual);
        keep_time(state, width);
    }
    steps_max
}

/// How far a step may go, and what it does to the sum of products.
#[derive(Debug, Clone, Copy)]
struct Reach {
    primal: f64,
    dual: f64,
    linear: f64,
    quadratic: f64,
}

impl Reach {
    fn length_primal(&self, damping: f64) -> f64 {
        (damping / self.primal.max(1e-30)).min(1.0)
    }

    fn length_dual(&self, damping: f64) -> f64 {
        (damping / self.dual.max(1e-30)).min(1.0)
    }
}

fn take(
    model: &Model,
    state: &mut State,
    step: &ClassStep,
    aim: Aim,
    scratch: &mut direction::Scratch,
    corrections: Option<&mut Corrections>,
) -> Reach {
    let current: Vec<f64> = state.classes.iter().map(|class| class.price).collect();
    let prices =
        Prices { current: &current, step: &step.prices, level_step: step.level, mu: aim.mu, corrected: aim.corrected };
    let rows = direction(model, state, &prices, scratch, corrections);
    let [primal, dual, linear, quadratic] = classes::apply(model, state, step, aim);
    Reach {
        primal: rows.primal.max(primal),
        dual: rows.dual.max(dual),
        linear: rows.linear + linear,
        quadratic: rows.quadratic + quadratic,
    }
}

fn advance(state: &mut State, primal: f64, dual: f64) {
    let one = Lane::all(1.0);
    for (x, step) in state.x.iter_mut().zip(&state.x_step) {
        *x = *x * (one + *step * primal);
    }
    for (z, step) in state.z.iter_mut().zip(&state.z_step) {
        *z = *z * (one + *step * dual);
    }
    let move_pair = |pair: &mut Pair| {
        pair.slack = pair.slack * (one + pair.slack_step * primal);
        pair.price = pair.price * (one + pair.price_step * dual);
    };
    for row in &mut state.rows {
        move_pair(&mut row.time);
        move_pair(&mut row.value);
        move_pair(&mut row.cash);
        move_pair(&mut row.floor);
    }
    let move_scalar = |pair: &mut Scalar| {
        pair.slack *= 1.0 + pair.slack_step * primal;
        pair.price *= 1.0 + pair.price_step * dual;
    };
    state.classes.iter_mut().for_each(move_scalar);
    for step in state.steps.iter_mut().flatten() {
        move_scalar(&mut step.sold);
        move_scalar(&mut step.left);
    }
    state.level += primal * state.level_step;
}

/// Makes every row's time add up to one again: idle time takes up what rounding left where it is large; where it is small
/// the busy time does, for there the Newton step's own sums are the less exact ones.
fn keep_time(state: &mut State, width: usize) {
    for (row, x) in state.rows.iter_mut().zip(state.x.chunks_exact_mut(width.max(1))) {
        let used = x.iter().fold(Lane::ZERO, |sum, x| sum + *x);
        row.time.slack = row.time.slack.unless_far(Lane::all(1.0) - used);
        let scale = Lane::all(1.0).unless_far((Lane::all(1.0) - row.time.slack) / used);
        for x in x {
            *x = *x * scale;
        }
    }
}

fn scalars(state: &State) -> impl Iterator<Item = Scalar> + '_ {
    let steps = state.steps.iter().flatten().flat_map(|step| [step.sold, step.left]);
    state.classes.iter().copied().chain(steps)
}

/// How many pairs there are, each as often as its rows.
fn count_pairs(model: &Model) -> f64 {
    let width = model.width();
    let mut count = 0.0;
    for (index, block) in model.blocks.iter().enumerate() {
        let mut per_row = Lane::all(1.0);
        for speeds in &model.speeds[index * width..(index + 1) * width] {
            per_row = per_row + state::usable(*speeds);
        }
        let own = f64::from(u8::from(matches!(block.kind, Kind::Spend | Kind::Level)) + u8::from(block.floored));
        count += (block.count * (per_row + Lane::all(own))).sum();
    }
    let of_supply: f64 = model.classes.iter().map(|class| 1.0 + 2.0 * small(class.steps.len())).sum();
    count + of_supply
}

fn small(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::INFINITY, f64::from)
}
