//! A step for every row, once the prices' step is known: first the affine one, which looks how far `mu` could fall, then
//! the one that is taken.
//!
//! Steps are relative (`dx / x`). Each pair's second number follows from the first by its own linearised product, never
//! from a sum of large numbers; what the sums then miss stays as a primal residual that the next step carries.

use super::factor::gain;
use super::lane::Lane;
use super::state::{Pair, RowState, State};
use crate::solve::model::{Block, Kind, Model};

/// What the classes' part of the step is.
#[derive(Debug)]
pub struct Prices<'a> {
    /// The prices.
    pub current: &'a [f64],
    /// Their step.
    pub step: &'a [f64],
    /// The level's step.
    pub level_step: f64,
    /// The product that pairs aim at; 0 for the affine step.
    pub mu: f64,
    /// Whether the affine step, still stored, corrects the products.
    pub corrected: bool,
}

/// What a pass over the rows found.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Largest relative fall of a primal number.
    pub primal: f64,
    /// Largest relative fall of a dual number.
    pub dual: f64,
    /// Sum of products times the primal number's relative step.
    pub linear: f64,
    /// Sum of products times both relative steps.
    pub quadratic: f64,
}

/// Right sides that the corrected step adds: per unit of `mu`, and for the affine step's second order.
#[derive(Debug)]
pub struct Corrections {
    /// Class rows, per unit of `mu`.
    pub mu: Vec<f64>,
    /// Class rows, second order.
    pub second: Vec<f64>,
    /// The level row, per unit of `mu`.
    pub level_mu: f64,
    /// The level row, second order.
    pub level_second: f64,
}

/// Scratch of a pass.
#[derive(Debug)]
pub struct Scratch {
    y: Vec<Lane>,
    second: Vec<Lane>,
    sum_mu: Vec<Lane>,
    sum_second: Vec<Lane>,
}

impl Scratch {
    /// For so many classes.
    pub fn new(width: usize) -> Self {
        let lanes = || vec![Lane::ZERO; width];
        Self { y: lanes(), second: lanes(), sum_mu: lanes(), sum_second: lanes() }
    }
}

/// Computes the rows' step; with `corrections`, sums up what the corrected step will need as well.
pub fn direction(
    model: &Model,
    state: &mut State,
    prices: &Prices<'_>,
    scratch: &mut Scratch,
    corrections: Option<&mut Corrections>,
) -> Reach {
    let width = model.width();
    scratch.sum_mu.fill(Lane::ZERO);
    scratch.sum_second.fill(Lane::ZERO);
    let (mut level_mu, mut level_second) = (Lane::ZERO, Lane::ZERO);
    let (mut primal, mut dual) = (Lane::ZERO, Lane::ZERO);
    let (mut linear, mut quadratic) = (Lane::ZERO, Lane::ZERO);
    let one = Lane::all(1.0);
    for (index, block) in model.blocks.iter().enumerate() {
        let span = index * width..(index + 1) * width;
        let row = &mut state.rows[index];
        let speeds = &model.speeds[span.clone()];
        let (z, d, inverse) = (&state.z[span.clone()], &state.ratio[span.clone()], &state.inverse[span.clone()]);
        let (along_time, along_value) = (&state.along_time[span.clone()], &state.along_value[span.clone()]);
        let (x_step, z_step) = (&mut state.x_step[span.clone()], &mut state.z_step[span]);
        let two = row.rank_two;
        // y, and its sums
        let marginal = if block.floored { row.value.price + row.floor.price } else { row.value.price };
        let (mut along_s, mut along_1) = (Lane::ZERO, Lane::ZERO);
        for k in 0..width {
            let now = gain(marginal * speeds[k], block.gang * prices.current[k] + row.time.price, z[k]);
            let mut y = now - block.gang * prices.step[k];
            if prices.corrected {
                y = y + inverse[k] * prices.mu + z[k] * x_step[k] * (one + x_step[k]);
            }
            scratch.y[k] = y;
            along_s = along_s + along_value[k] * y;
            along_1 = along_1 + along_time[k] * y;
        }
        (along_s, along_1) = (two.alpha * along_s, two.beta * along_1);
        let (mut e, mut f) = (two.e[0] + two.e[1] * prices.mu, two.f[0] + two.f[1] * prices.mu);
        if prices.corrected {
            let [e_second, f_second] = second_order(block, row);
            (e, f) = (e + e_second, f + f_second);
        }
        if block.kind == Kind::Level {
            e = e + two.alpha * prices.level_step;
        }

        let mut utility_step = Lane::ZERO;
        let (mut s_second, mut t_second, mut s_mu, mut t_mu) = (Lane::ZERO, Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for k in 0..width {
            let dx = d[k] * (scratch.y[k] - along_s * speeds[k] - along_1) + f * along_time[k] + e * along_value[k];
            utility_step = utility_step + speeds[k] * dx;
            let step = dx * inverse[k];
            let mut fall = -(one + step);
            if prices.corrected {
                let affine = x_step[k];
                fall = fall + d[k] * inverse[k] * (inverse[k] * prices.mu) + affine * (one + affine);
            } else {
                let product = z[k] * step;
                let second = product * (one + step);
                scratch.second[k] = second;
                // x z = z / inverse; where a class is unusable d = 0 makes it vanish.
                let weighed = d[k] * z[k] * z[k] * step;
                linear = linear + block.count * weighed;
                quadratic = quadratic - block.count * weighed * (one + step);
                s_second = s_second + along_value[k] * second;
                t_second = t_second + along_time[k] * second;
                s_mu = s_mu + along_value[k] * inverse[k];
                t_mu = t_mu + along_time[k] * inverse[k];
            }
            x_step[k] = step;
            z_step[k] = fall;
            primal = primal.max(-step);
            dual = dual.max(-fall);
        }

        // The rows' own pairs.
        let dq = along_1 - f * two.phi_time + two.beta * e * two.psi;
        let dv = e * two.phi_value - along_s - two.alpha * f * two.psi;
        let own = OwnStep { dq, dv, utility_step };
        apply_own(block, row, own, prices);
        let mut weigh = |pair: &Pair| {
            primal = primal.max(-pair.slack_step);
            dual = dual.max(-pair.price_step);
            let product = block.count * pair.slack * pair.price * pair.slack_step;
            linear = linear + product;
            quadratic = quadratic + product * pair.price_step;
        };
        weigh(&row.time);
        if block.kind == Kind::Spend {
            weigh(&row.cash);
        }
        if block.kind == Kind::Level {
            weigh(&row.value);
        }
        if block.floored {
            weigh(&row.floor);
        }
        if matches!(block.kind, Kind::Log | Kind::Spend) {
            primal = primal.max(-row.value.slack_step);
            dual = dual.max(-row.value.price_step);
        }

        if corrections.is_some() {
            let [e_second, f_second] = second_order(block, row);
            let weight = block.count * block.gang;
            let (second_s, second_1) = (two.alpha * s_second, two.beta * t_second);
            let (mu_s, mu_1) = (two.alpha * s_mu, two.beta * t_mu);
            for k in 0..width {
                let second = d[k] * (scratch.second[k] - second_s * speeds[k] - second_1)
                    + f_second * along_time[k]
                    + e_second * along_value[k];
                scratch.sum_second[k] = scratch.sum_second[k] + weight * second;
                let by_mu = d[k] * (inverse[k] - mu_s * speeds[k] - mu_1)
                    + two.f[1] * along_time[k]
                    + two.e[1] * along_value[k];
                scratch.sum_mu[k] = scratch.sum_mu[k] + weight * by_mu;
            }
            if block.kind == Kind::Level {
                let dv = |e: Lane, f: Lane, along: Lane| e * two.phi_value - along - two.alpha * f * two.psi;
                level_second = level_second - block.count * dv(e_second, f_second, second_s);
                level_mu = level_mu - block.count * dv(two.e[1], two.f[1], mu_s);
            }
        }
    }
    if let Some(out) = corrections {
        for (k, (mu, second)) in out.mu.iter_mut().zip(&mut out.second).enumerate() {
            (*mu, *second) = (scratch.sum_mu[k].sum(), scratch.sum_second[k].sum());
        }
        (out.level_mu, out.level_second) = (level_mu.sum(), level_second.sum());
    }
    Reach { primal: primal.largest(), dual: dual.largest(), linear: linear.sum(), quadratic: quadratic.sum() }
}

/// Right sides along the speeds and along time from the products of the affine step.
#[inline(always)]
fn second_order(block: &Block, row: &RowState) -> [Lane; 2] {
    let product = |pair: &Pair| pair.slack_step * pair.price_step;
    let mut along_value = Lane::ZERO;
    match block.kind {
        Kind::Log => along_value = -(product(&row.value) * row.value.price),
        Kind::Spend => {
            let over_u = Lane::all(1.0) / row.value.slack;
            let a = row.value.price * over_u;
            let theta = row.cash.price / row.cash.slack;
            along_value =
                (a * product(&row.cash) * row.cash.price - theta * product(&row.value) * row.value.price) / (a + theta);
        }
        Kind::Pay => {}
        Kind::Level => along_value = -(product(&row.value) * row.value.price),
    }
    if block.floored {
        along_value = along_value - product(&row.floor) * row.floor.price;
    }
    [along_value, product(&row.time) * row.time.price]
}

/// The step of a row as a whole.
struct OwnStep {
    /// Of the price of its time.
    dq: Lane,
    /// Of its marginal value, subsidy included.
    dv: Lane,
    /// Of the utility from classes.
    utility_step: Lane,
}

#[inline(always)]
fn apply_own(block: &Block, row: &mut RowState, own: OwnStep, prices: &Prices<'_>) {
    // From the price's step to the slack's.
    let slack_from_price = |pair: &mut Pair, price_step: Lane| {
        let follows = follows(pair, price_step, prices);
        (pair.slack_step, pair.price_step) = (follows, price_step);
    };
    let price_from_slack = |pair: &mut Pair, slack_step: Lane| {
        let follows = follows(pair, slack_step, prices);
        (pair.slack_step, pair.price_step) = (slack_step, follows);
    };
    let subsidy = if block.floored {
        let pair = &row.floor;
        let over_y = Lane::all(1.0) / pair.slack;
        let a = pair.price * over_y;
        let mut e = Lane::all(prices.mu) * over_y - pair.price - a * row.rank_two.above_floor;
        if prices.corrected {
            e = e - pair.slack_step * pair.price_step * pair.price;
        }
        e - a * own.utility_step
    } else {
        Lane::ZERO
    };
    let dv = own.dv - subsidy;
    match block.kind {
        Kind::Log => {
            row.value.slack_step = own.utility_step / row.value.slack;
            row.value.price_step = dv / row.value.price;
        }
        Kind::Spend => {
            let over_u = Lane::all(1.0) / row.value.slack;
            let over_cash = Lane::all(1.0) / row.cash.slack;
            let a = row.value.price * over_u;
            let theta = row.cash.price * over_cash;
            let mut off = block.weight * over_u - row.value.price;
            let mut kept = over_cash * prices.mu;
            if prices.corrected {
                off = off - row.value.slack_step * row.value.price_step * row.value.price;
                kept = kept - row.cash.slack_step * row.cash.price_step * row.cash.price;
            }
            let missing = block.cost - row.value.price - kept;
            let cash_step = (off - a * own.utility_step - missing) / (a + theta);
            price_from_slack(&mut row.cash, cash_step * over_cash);
            row.value.slack_step = (own.utility_step + cash_step) * over_u;
            row.value.price_step = dv / row.value.price;
        }
        Kind::Pay => {}
        Kind::Level => {
            let price_step = dv / row.value.price;
            slack_from_price(&mut row.value, price_step);
        }
    }
    if block.floored {
        let price_step = subsidy / row.floor.price;
        slack_from_price(&mut row.floor, price_step);
    }
    let price_step = own.dq / row.time.price;
    slack_from_price(&mut row.time, price_step);
}

/// The other relative step of a pair, from its linearised product.
#[inline(always)]
fn follows(pair: &Pair, step: Lane, prices: &Prices<'_>) -> Lane {
    let one = Lane::all(1.0);
    if !prices.corrected {
        return -(one + step);
    }
    let goal = Lane::all(prices.mu) / (pair.slack * pair.price);
    goal - pair.slack_step * pair.price_step - one - step
}
