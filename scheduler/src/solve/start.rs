//! Where the interior point starts: at prices that are known or found from a sample, else well inside.

use super::interior::lane::WIDTH;
use super::interior::start::{Guess, start};
use super::interior::state::State;
use super::interior::{STEPS_MAX, run};
use super::model::Model;

/// Rows from which on the prices of a sample are worth their time.
const SAMPLED: usize = 1024;
/// How many times smaller a sample is.
const EVERY: usize = 8;
/// The product of pairs at a start. Smaller, and the first steps are short; larger, and they are wasted.
const MU: f64 = 1e-3;

/// Whether a sample's prices are near enough to those of all rows. A level is one row's, which no sample knows.
pub fn has_sample(model: &Model) -> bool {
    !model.is_level() && model.blocks.len() * WIDTH >= SAMPLED
}

/// At the prices of a sample, which is solved from a sample itself where it is large.
pub fn from_sample(model: &Model) -> State {
    let sample = model.sample(EVERY);
    let state = if has_sample(&sample) {
        from_sample(&sample)
    } else {
        let mut state = State::new(&sample);
        run(&sample, &mut state, MU, STEPS_MAX);
        state
    };
    let prices = state.classes.iter().map(|class| class.price).collect();
    start(model, Guess { prices, level: 0.0, mu: MU })
}

/// At prices in the programme's units, one for each of its classes. A price of 0 becomes a small one.
pub fn from_prices(model: &Model, prices: &[f64]) -> State {
    let of_class = |origin: usize| prices.get(origin).copied().unwrap_or(0.0) / model.money();
    let prices = model.classes.iter().map(|class| {
        let devices = class.free + class.steps.iter().map(|step| step.devices).sum::<f64>();
        let price = of_class(class.origin);
        if price.is_finite() { price.max(MU / devices) } else { MU / devices }
    });
    start(model, Guess { prices: prices.collect(), level: 0.0, mu: MU })
}
