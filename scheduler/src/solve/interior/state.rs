//! The iterate of the interior point, and where it starts.

use super::lane::{Lane, WIDTH};
use crate::solve::model::{Block, Kind, Model};

/// A pair of numbers whose product tends to `mu`, for eight rows, and its step in relative terms.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// The primal one: a slack.
    pub slack: Lane,
    /// The dual one: its price.
    pub price: Lane,
    /// Relative step of the slack.
    pub slack_step: Lane,
    /// Relative step of the price.
    pub price_step: Lane,
}

impl Pair {
    fn new(slack: Lane, mu: f64) -> Self {
        Self { slack, price: Lane::all(mu) / slack, slack_step: Lane::ZERO, price_step: Lane::ZERO }
    }
}

/// What belongs to eight rows as wholes.
#[derive(Debug, Clone, Copy)]
pub struct RowState {
    /// Idle time and its price.
    pub time: Pair,
    /// Utility and its marginal value; for a level how far above the level it is.
    pub value: Pair,
    /// Money kept, and what is missing for it to be worth keeping.
    pub cash: Pair,
    /// How far above the floor, and the floor's subsidy.
    pub floor: Pair,
    /// The rows' 2x2 parts of the Newton matrix; see `factor`.
    pub rank_two: RankTwo,
}

/// `H = D + alpha s s' + beta 1 1'` of eight rows: what is needed to apply its inverse.
#[derive(Debug, Clone, Copy)]
pub struct RankTwo {
    /// Curvature along the speeds.
    pub alpha: Lane,
    /// Curvature along time.
    pub beta: Lane,
    /// `(1 + alpha A) / det`.
    pub phi_time: Lane,
    /// `(1 + beta C) / det`.
    pub phi_value: Lane,
    /// `B / det`.
    pub psi: Lane,
    /// Right side along the speeds: without `mu`, and its coefficient.
    pub e: [Lane; 2],
    /// Right side along time: without `mu`, and its coefficient.
    pub f: [Lane; 2],
    /// Residual of the floor.
    pub above_floor: Lane,
}

impl RankTwo {
    /// Not yet computed.
    pub const NONE: Self = Self {
        alpha: Lane::ZERO,
        beta: Lane::ZERO,
        phi_time: Lane::ZERO,
        phi_value: Lane::ZERO,
        psi: Lane::ZERO,
        e: [Lane::ZERO; 2],
        f: [Lane::ZERO; 2],
        above_floor: Lane::ZERO,
    };
}

/// A class's spare devices and its price; a step of its supply.
#[derive(Debug, Clone, Copy)]
pub struct Scalar {
    /// The primal one.
    pub slack: f64,
    /// The dual one.
    pub price: f64,
    /// Relative step of the slack.
    pub slack_step: f64,
    /// Relative step of the price.
    pub price_step: f64,
}

impl Scalar {
    fn new(slack: f64, mu: f64) -> Self {
        Self { slack, price: mu / slack, slack_step: 0.0, price_step: 0.0 }
    }
}

/// Part of a supply step that is sold, and part that is not.
#[derive(Debug, Clone, Copy)]
pub struct StepState {
    /// Devices sold.
    pub sold: Scalar,
    /// Devices left.
    pub left: Scalar,
}

/// The iterate.
#[derive(Debug, Clone)]
pub struct State {
    /// Fractions of time, `[block * classes + class]`.
    pub x: Vec<Lane>,
    /// Their reduced costs.
    pub z: Vec<Lane>,
    /// `x / z`.
    pub ratio: Vec<Lane>,
    /// `1 / x`.
    pub inverse: Vec<Lane>,
    /// `H^-1 1`.
    pub along_time: Vec<Lane>,
    /// `H^-1 s`.
    pub along_value: Vec<Lane>,
    /// Relative step of `x`.
    pub x_step: Vec<Lane>,
    /// Relative step of `z`.
    pub z_step: Vec<Lane>,
    /// What belongs to whole rows, by block.
    pub rows: Vec<RowState>,
    /// Spare devices and prices, by class.
    pub classes: Vec<Scalar>,
    /// Supply steps, by class.
    pub steps: Vec<Vec<StepState>>,
    /// The level.
    pub level: f64,
    /// Its step.
    pub level_step: f64,
}

/// How far inside the start lies: part of the devices and of the time that it uses.
const USED: f64 = 0.9;

impl State {
    /// A start well inside, primal feasible and perfectly centred; the dual residuals close on the way.
    pub fn new(model: &Model) -> Self {
        let width = model.width();
        let mut asked = vec![0.0; width];
        for (block, row) in model.blocks.iter().enumerate() {
            for (class, asked) in asked.iter_mut().enumerate() {
                let speeds = model.speeds[block * width + class];
                *asked += (row.count * row.gang * usable(speeds)).sum();
            }
        }
        let offered = |class: usize| {
            let class = &model.classes[class];
            class.free + 0.5 * class.steps.iter().map(|step| step.devices).sum::<f64>()
        };
        let width_f = f64::from(u32::try_from(width).unwrap_or(u32::MAX)).max(1.0);
        let part: Vec<f64> =
            (0..width).map(|class| USED * (1.0 / width_f).min(offered(class) / asked[class].max(1e-300))).collect();
        let mu = 1.0 / (width_f + 1.0);
        let mut state = Self::at(model, &part, mu);
        for class in 0..width {
            let slack = offered(class) - asked[class] * part[class];
            state.classes.push(Scalar::new(slack, mu));
            let steps = model.classes[class].steps.iter();
            let half = |devices: f64| Scalar::new(0.5 * devices, mu);
            state.steps.push(steps.map(|it| StepState { sold: half(it.devices), left: half(it.devices) }).collect());
        }
        state
    }

    /// Nothing yet, of the right size.
    pub fn blank(model: &Model) -> Self {
        let (width, size) = (model.width(), model.speeds.len());
        let lanes = || vec![Lane::ZERO; size];
        Self {
            x: lanes(),
            z: lanes(),
            ratio: lanes(),
            inverse: lanes(),
            along_time: lanes(),
            along_value: lanes(),
            x_step: lanes(),
            z_step: lanes(),
            rows: Vec::with_capacity(model.blocks.len()),
            classes: Vec::with_capacity(width),
            steps: Vec::with_capacity(width),
            level: 0.0,
            level_step: 0.0,
        }
    }

    fn at(model: &Model, part: &[f64], mu: f64) -> Self {
        let width = model.width();
        let mut state = Self::blank(model);
        for (index, block) in model.blocks.iter().enumerate() {
            let (mut time, mut utility) = (Lane::all(1.0), Lane::ZERO);
            for class in 0..width {
                let at = index * width + class;
                let may = usable(model.speeds[at]);
                state.x[at] = may * part[class];
                state.z[at] = Lane::all(mu) / (state.x[at] + (Lane::all(1.0) - may));
                time = time - state.x[at];
                utility = utility + model.speeds[at] * state.x[at];
            }
            state.rows.push(row_state(block, time, utility, mu));
        }
        if model.is_level() {
            let least = state.rows.iter().map(|row| -(-row.value.slack).largest()).fold(f64::INFINITY, f64::min);
            state.level = 0.5 * least;
            for row in &mut state.rows {
                row.value = Pair::new(row.value.slack - Lane::all(state.level), mu);
            }
        }
        state
    }
}

/// 1 where a row can run, else 0.
pub fn usable(speeds: Lane) -> Lane {
    let mut out = [0.0; WIDTH];
    for (out, speed) in out.iter_mut().zip(speeds.0) {
        *out = if speed > 0.0 { 1.0 } else { 0.0 };
    }
    Lane(out)
}

fn row_state(block: &Block, time: Lane, utility: Lane, mu: f64) -> RowState {
    let mut value = Pair::new(utility, mu);
    let mut cash = Pair::new(Lane::all(1.0), mu);
    match block.kind {
        Kind::Log => value.price = block.weight / utility,
        Kind::Spend => {
            cash = Pair::new(block.weight / block.cost * 0.5, mu);
            value.slack = utility + cash.slack;
            value.price = block.weight / value.slack;
        }
        Kind::Pay => value.price = Lane::all(1.0),
        Kind::Level => {}
    }
    let floor = Pair::new((utility - block.floor).max(Lane::all(0.1)), mu);
    RowState { time: Pair::new(time, mu), value, cash, floor, rank_two: RankTwo::NONE }
}
