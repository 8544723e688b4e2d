//! Which classes are scarce, and which steps of their supply are sold.

use super::ROUNDING;
use crate::solve::interior::state::{State, StepState};
use crate::solve::model::Model;
use crate::solve::program::Step;

/// How far a step of supply is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sale {
    Nothing,
    Part,
    All,
}

/// A step of supply.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    sale: Sale,
    /// Devices sold, where only a part is.
    pub sold: f64,
}

/// The supply's part of the conditions.
#[derive(Debug, Clone)]
pub struct Offers {
    /// Whether a class has a price.
    pub scarce: Vec<bool>,
    /// The steps of each class.
    pub steps: Vec<Vec<Offer>>,
}

impl Offers {
    /// What an iterate suggests: of each pair the larger number stays, slacks measured by the class's devices.
    pub fn new(model: &Model, state: &State) -> Self {
        let scarce = model.classes.iter().zip(&state.classes).map(|(class, it)| {
            let devices = class.free + class.steps.iter().map(|step| step.devices).sum::<f64>();
            it.price * devices * devices > it.slack * model.runnable
        });
        let steps = model.classes.iter().zip(&state.steps).map(|(class, steps)| {
            let offer = |(step, it): (&Step, &StepState)| {
                let is = |part: f64, price: f64| part > price * step.devices;
                let sale = match (is(it.sold.slack, it.sold.price), is(it.left.slack, it.left.price)) {
                    (true, false) => Sale::All,
                    (false, true) => Sale::Nothing,
                    _ => Sale::Part,
                };
                Offer { sale, sold: it.sold.slack }
            };
            class.steps.iter().zip(steps).map(offer).collect()
        });
        Self { scarce: scarce.collect(), steps: steps.collect() }
    }

    /// What prices and demand suggest where all devices are free.
    pub fn of_free(model: &Model, prices: &[f64], demand: &[f64]) -> Self {
        let scarce =
            model.classes.iter().zip(prices).zip(demand).map(|((class, price), demand)| {
                price * class.free * class.free > (class.free - demand) * model.runnable
            });
        Self { scarce: scarce.collect(), steps: vec![Vec::new(); prices.len()] }
    }

    /// Devices sold of a class.
    pub fn sold(&self, model: &Model, class: usize) -> f64 {
        let steps = model.classes[class].steps.iter().zip(&self.steps[class]);
        steps
            .map(|(step, offer)| match offer.sale {
                Sale::Nothing => 0.0,
                Sale::Part => offer.sold,
                Sale::All => step.devices,
            })
            .sum()
    }

    /// Class and step of what is sold in part, and by how much the price exceeds the ask.
    pub fn partial(&self, model: &Model, prices: &[f64]) -> Vec<(usize, usize, f64)> {
        let mut found = Vec::new();
        for (class, steps) in self.steps.iter().enumerate() {
            for (at, offer) in steps.iter().enumerate() {
                if offer.sale == Sale::Part && self.scarce[class] {
                    found.push((class, at, prices[class] - model.classes[class].steps[at].ask));
                }
            }
        }
        found
    }

    /// Corrects what prices and demand contradict; returns how many parts changed.
    pub fn corrected(&mut self, model: &Model, prices: &mut [f64], demand: &[f64]) -> usize {
        let mut changes = 0;
        for class in 0..prices.len() {
            let price = prices[class];
            for (step, offer) in model.classes[class].steps.iter().zip(&mut self.steps[class]) {
                let scale = ROUNDING * (price.abs() + step.ask);
                let sale = match offer.sale {
                    Sale::Nothing if price > step.ask + scale => Sale::Part,
                    Sale::All if price < step.ask - scale => Sale::Part,
                    Sale::Part if offer.sold < -ROUNDING * step.devices => Sale::Nothing,
                    Sale::Part if offer.sold > step.devices * (1.0 + ROUNDING) => Sale::All,
                    same => same,
                };
                if sale != offer.sale {
                    offer.sold = if offer.sale == Sale::Nothing { 0.0 } else { step.devices };
                    offer.sale = sale;
                    changes += 1;
                }
            }
            let devices = model.classes[class].free + self.sold(model, class);
            if self.scarce[class] && price < 0.0 {
                (self.scarce[class], prices[class]) = (false, 0.0);
                changes += 1;
            } else if !self.scarce[class] && demand[class] > devices * (1.0 + ROUNDING) {
                self.scarce[class] = true;
                changes += 1;
            }
        }
        changes
    }
}
