//! The Newton matrix: each row's block inverted in closed form and added up into one small matrix over the classes.
//!
//! Row j's block is `D + alpha s s' + beta 1 1'` with `D = z / x`. With `d = x / z`, `A = s'ds`, `B = s'd1`, `C = 1'd1` its
//! determinant over that of `D` is `1 + alpha A + beta C + alpha beta (AC - BB)`. As the iterate converges A, B and C grow
//! like 1/mu while `AC - BB` need not: it is summed as `sum_(k<l) d_k d_l (s_k - s_l)^2` (Lagrange), never subtracted.

use super::lane::Lane;
use super::state::{RankTwo, RowState, State};
use crate::solve::model::{Block, Kind, Model};

/// The Newton system over the classes, and over the level if there is one.
#[derive(Debug, Clone)]
pub struct Schur {
    /// Lower triangle, row by row.
    pub matrix: Vec<f64>,
    /// Right side without `mu`.
    pub right: Vec<f64>,
    /// How the level enters the class rows.
    pub level_row: Vec<f64>,
    /// The level's own curvature.
    pub level_curvature: f64,
    /// The level's right side.
    pub level_right: f64,
    /// Devices that the rows take of each class.
    pub demand: Vec<f64>,
}

impl Schur {
    /// Nothing yet.
    pub fn new(width: usize) -> Self {
        Self {
            matrix: vec![0.0; width * (width + 1) / 2],
            right: vec![0.0; width],
            level_row: vec![0.0; width],
            level_curvature: 0.0,
            level_right: 0.0,
            demand: vec![0.0; width],
        }
    }
}

/// Sums that the loop needs and that cost nothing on the way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Sum of all products of pairs.
    pub gap: f64,
}

/// Scratch of one block.
#[derive(Debug)]
pub struct Scratch {
    /// `d s`.
    ds: Vec<Lane>,
    /// `sum_i d_i (s_k - s_i)`.
    value_gap: Vec<Lane>,
    /// `sum_i d_i s_i (s_i - s_k)`.
    time_gap: Vec<Lane>,
    /// A right side.
    y: Vec<Lane>,
    matrix: Vec<Lane>,
    right: Vec<Lane>,
    level_row: Vec<Lane>,
    demand: Vec<Lane>,
}

impl Scratch {
    /// For so many classes.
    pub fn new(width: usize) -> Self {
        let lanes = || vec![Lane::ZERO; width];
        Self {
            ds: lanes(),
            value_gap: lanes(),
            time_gap: lanes(),
            y: lanes(),
            matrix: vec![Lane::ZERO; width * (width + 1) / 2],
            right: lanes(),
            level_row: lanes(),
            demand: lanes(),
        }
    }
}

/// Factors all rows at the iterate and sums up the system for the affine step (`mu` = 0).
pub fn factor(model: &Model, state: &mut State, scratch: &mut Scratch, schur: &mut Schur) -> Totals {
    let width = model.width();
    for sums in [&mut scratch.matrix, &mut scratch.right, &mut scratch.level_row, &mut scratch.demand] {
        sums.fill(Lane::ZERO);
    }
    let (mut curvature, mut level_right) = (Lane::ZERO, Lane::ZERO);
    let mut gap = Lane::ZERO;
    let prices: Vec<f64> = state.classes.iter().map(|class| class.price).collect();
    for (index, block) in model.blocks.iter().enumerate() {
        let span = index * width..(index + 1) * width;
        let row = &mut state.rows[index];
        let speeds = &model.speeds[span.clone()];
        let (x, z) = (&state.x[span.clone()], &state.z[span.clone()]);
        let (d, inverse) = (&mut state.ratio[span.clone()], &mut state.inverse[span.clone()]);
        let (along_time, along_value) = (&mut state.along_time[span.clone()], &mut state.along_value[span]);

        let (mut a, mut b, mut c) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        let (mut used, mut utility, mut products) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for k in 0..width {
            let product = x[k] * z[k];
            products = products + product;
            // A class that the row cannot use has x = 0: everything about it vanishes, without a branch.
            let reciprocal = Lane::all(1.0) / product.max(Lane::all(1e-100));
            inverse[k] = z[k] * reciprocal;
            d[k] = x[k] * x[k] * reciprocal;
            let ds = d[k] * speeds[k];
            scratch.ds[k] = ds;
            a = a + ds * speeds[k];
            b = b + ds;
            c = c + d[k];
            used = used + x[k];
            utility = utility + speeds[k] * x[k];
        }
        products = products + row.time.slack * row.time.price;
        let own = prepare(block, row, used, utility, state.level);
        products = products + own.products;
        gap = gap + block.count * products;

        let (alpha, beta) = (row.rank_two.alpha, row.rank_two.beta);
        let lagrange = pairs(speeds, d, scratch);
        let one = Lane::all(1.0);
        let over = one / (one + alpha * a + beta * c + alpha * beta * lagrange);
        let rank_two = &mut row.rank_two;
        rank_two.phi_time = (one + alpha * a) * over;
        rank_two.phi_value = (one + beta * c) * over;
        rank_two.psi = b * over;
        let w_value = alpha * rank_two.phi_value;
        let w_both = -(alpha * beta * rank_two.psi);
        let w_time = beta * rank_two.phi_time;

        // The right side of the affine step.
        let v = own.marginal;
        let (mut along_s, mut along_1) = (Lane::ZERO, Lane::ZERO);
        for k in 0..width {
            along_time[k] = d[k] * (one + alpha * scratch.time_gap[k]) * over;
            along_value[k] = d[k] * (speeds[k] + beta * scratch.value_gap[k]) * over;
            let y = gain(v * speeds[k], block.gang * prices[k] + row.time.price, z[k]);
            scratch.y[k] = y;
            along_s = along_s + along_value[k] * y;
            along_1 = along_1 + along_time[k] * y;
        }
        (along_s, along_1) = (alpha * along_s, beta * along_1);
        let (e, f) = (rank_two.e[0], rank_two.f[0]);
        let weight = block.count * block.gang;
        let weight_2 = weight * block.gang;
        let mut at = 0;
        for k in 0..width {
            let dx = d[k] * (scratch.y[k] - along_s * speeds[k] - along_1) + f * along_time[k] + e * along_value[k];
            scratch.right[k] = scratch.right[k] + weight * dx;
            scratch.demand[k] = scratch.demand[k] + weight * x[k];
            let (left_s, left_1) = (
                weight_2 * (w_value * scratch.ds[k] + w_both * d[k]),
                weight_2 * (w_both * scratch.ds[k] + w_time * d[k]),
            );
            for l in 0..k {
                scratch.matrix[at] = scratch.matrix[at] - (left_s * scratch.ds[l] + left_1 * d[l]);
                at += 1;
            }
            scratch.matrix[at] = scratch.matrix[at] + (weight_2 * d[k] - (left_s * scratch.ds[k] + left_1 * d[k]));
            at += 1;
        }
        if block.kind == Kind::Level {
            for k in 0..width {
                scratch.level_row[k] = scratch.level_row[k] + weight * alpha * along_value[k];
            }
            curvature = curvature + block.count * alpha * rank_two.phi_value;
            let dv = e * rank_two.phi_value - along_s - alpha * f * rank_two.psi;
            level_right = level_right + block.count * (Lane::all(1.0) - row.value.price - dv);
        }
    }
    collect(schur, scratch, curvature, level_right);
    Totals { gap: gap.sum() }
}

/// What a class gains a row beyond its cost. It tends to `-z`, and as a difference of large numbers would be mostly rounding
/// at last, multiplied by `x / z`: where the two agree up to rounding, `-z` itself is the better number.
#[inline(always)]
pub fn gain(value: Lane, cost: Lane, z: Lane) -> Lane {
    let (more, less) = (value + z, cost);
    (more - less).unless_rounding(more + less) - z
}

fn collect(schur: &mut Schur, scratch: &Scratch, curvature: Lane, level_right: Lane) {
    for (out, sum) in [
        (&mut schur.matrix, &scratch.matrix),
        (&mut schur.right, &scratch.right),
        (&mut schur.level_row, &scratch.level_row),
        (&mut schur.demand, &scratch.demand),
    ] {
        for (out, sum) in out.iter_mut().zip(sum) {
            *out = sum.sum();
        }
    }
    schur.level_curvature = curvature.sum();
    schur.level_right = level_right.sum();
}

/// The pairwise sums over classes; returns `AC - BB`.
#[inline(always)]
fn pairs(speeds: &[Lane], d: &[Lane], scratch: &mut Scratch) -> Lane {
    let width = speeds.len();
    let mut lagrange = Lane::ZERO;
    for k in 0..width {
        let (mut value_gap, mut time_gap) = (Lane::ZERO, Lane::ZERO);
        for i in 0..k {
            let difference = speeds[k] - speeds[i];
            let (to_k, to_i) = (d[i] * difference, d[k] * difference);
            value_gap = value_gap + to_k;
            scratch.value_gap[i] = scratch.value_gap[i] - to_i;
            time_gap = time_gap - to_k * speeds[i];
            scratch.time_gap[i] = scratch.time_gap[i] + to_i * speeds[k];
            lagrange = lagrange + to_k * to_i;
        }
        scratch.value_gap[k] = value_gap;
        scratch.time_gap[k] = time_gap;
    }
    lagrange
}

/// What a block's kind contributes.
struct Own {
    /// Marginal value of utility.
    marginal: Lane,
    products: Lane,
}

/// Curvatures and right sides of the rows' own constraints.
#[inline(always)]
fn prepare(block: &Block, row: &mut RowState, used: Lane, utility: Lane, level: f64) -> Own {
    let one = Lane::all(1.0);
    let mut own = Own { marginal: row.value.price, products: Lane::ZERO };
    let over_t = one / row.time.slack;
    let beta = row.time.price * over_t;
    let overuse = used + row.time.slack - one;
    let mut alpha = Lane::ZERO;
    let mut above_floor = Lane::ZERO;
    let mut e = [Lane::ZERO; 2];
    match block.kind {
        Kind::Log => {
            row.value.slack = utility;
            let over_u = one / utility;
            alpha = row.value.price * over_u;
            e[0] = block.weight * over_u - row.value.price;
        }
        Kind::Spend => {
            row.value.slack = utility + row.cash.slack;
            let over_u = one / row.value.slack;
            let a = row.value.price * over_u;
            let over_cash = one / row.cash.slack;
            let theta = row.cash.price * over_cash;
            let over_sum = one / (a + theta);
            alpha = a * theta * over_sum;
            let off = block.weight * over_u - row.value.price;
            e[0] = (theta * off + a * (block.cost - row.value.price)) * over_sum;
            e[1] = -(a * over_cash * over_sum);
            own.products = row.cash.slack * row.cash.price;
        }
        Kind::Pay => {}
        Kind::Level => {
            row.value.slack = row.value.slack.unless_far(utility - Lane::all(level));
            let above = utility - Lane::all(level) - row.value.slack;
            let over_y = one / row.value.slack;
            alpha = row.value.price * over_y;
            e = [-row.value.price - alpha * above, over_y];
            own.products = row.value.slack * row.value.price;
        }
    }
    if block.floored {
        above_floor = utility - block.floor - row.floor.slack;
        let over_y = one / row.floor.slack;
        let a = row.floor.price * over_y;
        alpha = alpha + a;
        e = [e[0] - row.floor.price - a * above_floor, e[1] + over_y];
        own.marginal = own.marginal + row.floor.price;
        own.products = own.products + row.floor.slack * row.floor.price;
    }
    row.rank_two =
        RankTwo { alpha, beta, e, f: [row.time.price - beta * overuse, -over_t], above_floor, ..row.rank_two };
    own
}
