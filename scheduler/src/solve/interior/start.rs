//! A start at given prices: every row where it would be at these prices with products of `mu`, each found alone.
//!
//! A row's marginal value v and the price q of its time minimise a convex function of two numbers,
//!
//! ```text
//! q - mu ln q - mu sum_k ln z_k + h(v)          z_k = gang p_k + q - v s_k
//! h(v) = -w ln v | -w ln v - mu ln(cost - v) | 0, v = 1 | -level v - mu ln v
//! ```
//!
//! so that a few Newton steps centre all rows at once. What the prices get wrong remains as the classes' residuals.

use super::classes::{Aim, Coupling};
use super::factor::{self, Schur, factor};
use super::lane::Lane;
use super::state::{Pair, RankTwo, RowState, Scalar, State, StepState, usable};
use crate::solve::model::{Block, Kind, Model};

/// Where to start.
#[derive(Debug, Clone)]
pub struct Guess {
    /// A price for each class of the model, in its units.
    pub prices: Vec<f64>,
    /// The level; 0 if there is none.
    pub level: f64,
    /// The product of every pair.
    pub mu: f64,
}

/// Newton steps for a row at most.
const STEPS: u32 = 12;
/// How far towards a limit a step goes.
const REACH: f64 = 0.8;
/// Part of `mu` that a step may still lower the function by when a row counts as centred.
const CENTRED: f64 = 0.01;

/// The iterate that belongs to the guess, its prices first moved to where demand meets supply.
///
/// With every row centred, what the classes lack is a smooth function of the prices alone, and the Newton system of the
/// centred iterate holds its derivative: a few steps on as many numbers as there are classes, instead of one path for all.
pub fn start(model: &Model, mut guess: Guess) -> State {
    let mut state = State::blank(model);
    let mut schur = Schur::new(model.width());
    let mut scratch = factor::Scratch::new(model.width());
    let centred = vec![0.0; model.width()];
    for _ in 0..TRIALS {
        place(model, &guess, &mut state);
        factor(model, &mut state, &mut scratch, &mut schur);
        let aim = Aim { mu: guess.mu, corrected: false };
        let step = Coupling::new(&state, &schur).solve(model, &state, (&centred, 0.0), &schur.demand, aim);
        let changes = step.prices.iter().zip(&guess.prices).map(|(step, price)| (step / price).abs());
        let moved = changes.fold(0.0, f64::max);
        if !moved.is_finite() || moved < NEAR {
            break;
        }
        let length = (LEAP / moved).min(1.0);
        for (price, step) in guess.prices.iter_mut().zip(&step.prices) {
            *price += length * step;
        }
    }
    state
}

/// How often prices are moved at most.
const TRIALS: u32 = 8;
/// The largest relative change of a price at once.
const LEAP: f64 = 0.5;
/// A relative change of prices after which there is no reason to go on.
const NEAR: f64 = 5e-3;

/// Puts every row, class and step where it is at the guess.
fn place(model: &Model, guess: &Guess, state: &mut State) {
    let width = model.width();
    state.level = guess.level;
    let known = state.rows.len() == model.blocks.len();
    for (index, block) in model.blocks.iter().enumerate() {
        let span = index * width..(index + 1) * width;
        let speeds = &model.speeds[span.clone()];
        let before =
            known.then(|| Centred { value: state.rows[index].value.price, time: state.rows[index].time.price });
        let row = centre(block, speeds, guess, before);
        let row = row_state(block, &row, speeds, (&mut state.x[span.clone()], &mut state.z[span]), guess);
        if known {
            state.rows[index] = row;
        } else {
            state.rows.push(row);
        }
    }
    state.classes.clear();
    state.steps.clear();
    for (class, price) in model.classes.iter().zip(&guess.prices) {
        state.classes.push(pair(guess.mu / price, guess.mu));
        state.steps.push(class.steps.iter().map(|step| step_state(step.devices, price - step.ask, guess.mu)).collect());
    }
}

/// Where a step of supply is at a price that is by `above` more than its ask: `mu / sold - mu / left = -above`.
fn step_state(devices: f64, above: f64, mu: f64) -> StepState {
    let centre = 2.0 * mu / devices;
    let root = libm::sqrt(above * above + centre * centre);
    // Half of the devices and the sign's part of the rest, written so that the smaller side is not a difference.
    let small = devices * centre / (root + centre + above.abs());
    let (sold, left) = if above > 0.0 { (devices - small, small) } else { (small, devices - small) };
    StepState { sold: pair(sold, mu), left: pair(left, mu) }
}

fn pair(slack: f64, mu: f64) -> Scalar {
    Scalar { slack, price: mu / slack, slack_step: 0.0, price_step: 0.0 }
}

/// A row at the prices.
struct Centred {
    value: Lane,
    time: Lane,
}

fn centre(block: &Block, speeds: &[Lane], guess: &Guess, before: Option<Centred>) -> Centred {
    let mut row = before.map_or_else(|| crude(block, speeds, guess), |row| inside(block, speeds, guess, row));
    for _ in 0..STEPS {
        let (step, fallen) = newton(block, speeds, guess, &row);
        let fall = furthest(block, speeds, guess, &row, step);
        let length = Lane::all(1.0) / (fall * (1.0 / REACH)).max(Lane::all(1.0));
        row.value = row.value + length * step.0;
        row.time = row.time + length * step.1;
        if fallen.largest() < CENTRED * guess.mu {
            break;
        }
    }
    row
}

/// Inside, and right where no time is scarce or only one class is of use.
fn crude(block: &Block, speeds: &[Lane], guess: &Guess) -> Centred {
    let (mut cheapest, mut fastest) = (Lane::all(1e100), Lane::ZERO);
    for (speed, price) in speeds.iter().zip(&guess.prices) {
        let unit = block.gang * *price / speed.max(Lane::all(1e-100));
        cheapest = -((-cheapest).max(-unit));
        fastest = fastest.max(*speed);
    }
    let value = match block.kind {
        Kind::Log => cheapest.max(block.weight / fastest),
        Kind::Spend => -((-cheapest.max(block.weight / fastest)).max(-(block.cost * 0.9))),
        Kind::Pay => Lane::all(1.0),
        Kind::Level => cheapest.max(Lane::all(1e-3)),
    };
    let mut time = Lane::ZERO;
    for (speed, price) in speeds.iter().zip(&guess.prices) {
        time = time.max(value * *speed - block.gang * *price);
    }
    let room = f64::from(u32::try_from(speeds.len() + 1).unwrap_or(u32::MAX)) * guess.mu;
    Centred { value, time: time + Lane::all(room) }
}

/// What was centred at other prices, with so much more of time's price as it takes to be inside.
fn inside(block: &Block, speeds: &[Lane], guess: &Guess, mut row: Centred) -> Centred {
    for (speed, price) in speeds.iter().zip(&guess.prices) {
        row.time = row.time.max(row.value * *speed - block.gang * *price + Lane::all(guess.mu));
    }
    row
}

/// A Newton step of both numbers, and twice by how much it lowers the function.
fn newton(block: &Block, speeds: &[Lane], guess: &Guess, row: &Centred) -> ((Lane, Lane), Lane) {
    let one = Lane::all(1.0);
    let over_time = one / row.time;
    let (mut by_time, mut by_value) = (one - over_time * guess.mu, Lane::ZERO);
    let (mut time_time, mut both, mut value_value) = (over_time * over_time * guess.mu, Lane::ZERO, Lane::ZERO);
    for (speed, price) in speeds.iter().zip(&guess.prices) {
        let over = usable(*speed) / (block.gang * *price + row.time - row.value * *speed);
        let (x, curvature) = (over * guess.mu, over * over * guess.mu);
        by_time = by_time - x;
        by_value = by_value + *speed * x;
        time_time = time_time + curvature;
        both = both - *speed * curvature;
        value_value = value_value + *speed * *speed * curvature;
    }
    let over_value = one / row.value;
    match block.kind {
        Kind::Log | Kind::Spend => {
            by_value = by_value - block.weight * over_value;
            value_value = value_value + block.weight * over_value * over_value;
            if block.kind == Kind::Spend {
                let over_cash = one / (block.cost - row.value);
                by_value = by_value + over_cash * guess.mu;
                value_value = value_value + over_cash * over_cash * guess.mu;
            }
        }
        Kind::Pay => {
            let step = -(by_time / time_time);
            return ((Lane::ZERO, step), -(by_time * step));
        }
        Kind::Level => {
            by_value = by_value - Lane::all(guess.level) - over_value * guess.mu;
            value_value = value_value + over_value * over_value * guess.mu;
        }
    }
    let determinant = (value_value * time_time - both * both).max(value_value * time_time * 1e-14);
    let over = one / determinant;
    let step = ((both * by_time - time_time * by_value) * over, (both * by_value - value_value * by_time) * over);
    (step, -(by_value * step.0 + by_time * step.1))
}

/// The largest relative fall of what must stay positive.
fn furthest(block: &Block, speeds: &[Lane], guess: &Guess, row: &Centred, step: (Lane, Lane)) -> Lane {
    let mut fall = (-(step.0 / row.value)).max(-(step.1 / row.time));
    if block.kind == Kind::Spend {
        fall = fall.max(step.0 / (block.cost - row.value));
    }
    for (speed, price) in speeds.iter().zip(&guess.prices) {
        let z = block.gang * *price + row.time - row.value * *speed;
        fall = fall.max((step.0 * *speed - step.1) / z);
    }
    fall
}

fn row_state(
    block: &Block,
    row: &Centred,
    speeds: &[Lane],
    (x, z): (&mut [Lane], &mut [Lane]),
    guess: &Guess,
) -> RowState {
    let mu = Lane::all(guess.mu);
    let mut utility = Lane::ZERO;
    for (k, speed) in speeds.iter().enumerate() {
        z[k] = block.gang * guess.prices[k] + row.time - row.value * *speed;
        x[k] = usable(*speed) * mu / z[k];
        utility = utility + *speed * x[k];
    }
    let dual = |price: Lane| Pair { slack: mu / price, price, slack_step: Lane::ZERO, price_step: Lane::ZERO };
    let mut value = dual(row.value);
    let mut cash = dual(Lane::all(1.0));
    match block.kind {
        Kind::Log => value.slack = utility,
        Kind::Spend => {
            cash = dual(block.cost - row.value);
            value.slack = utility + cash.slack;
        }
        Kind::Pay | Kind::Level => {}
    }
    let above = (utility - block.floor).max(Lane::all(guess.mu));
    RowState { time: dual(row.time), value, cash, floor: dual(mu / above), rank_two: RankTwo::NONE }
}
