//! The demand of rows that need no look: how it follows the prices while each keeps its part.
//!
//! A row with time to spare spends its weight on one class: `w / p_a` devices. One that divides all its time between two
//! takes `w / (p_a - p_b)` of the first, but for a constant, and as much less of the second. All the others' demand stands
//! still. So weights added up by pairs of classes tell how the demand of any number of rows moves away from prices where it
//! is known; as a difference to those, so that near ties, whose constants are large, cost no digits.

use super::regime::{Follows, Regime};
use super::row::Row;
use super::system::System;

/// Rows added up.
#[derive(Debug, Clone)]
pub struct Sums {
    /// Where the demand is known.
    prices: Vec<f64>,
    /// Devices of each class taken there.
    demand: Vec<f64>,
    /// Weight by pair of classes, the smaller first; on the diagonal of those that follow one price.
    weight: Vec<f64>,
}

impl Sums {
    /// No rows yet, at these prices.
    pub fn new(prices: &[f64]) -> Self {
        let width = prices.len();
        Self { prices: prices.to_vec(), demand: vec![0.0; width], weight: vec![0.0; width * width] }
    }

    /// Adds so many of a row, whose fractions of time at these prices are `x`; a negative number takes away.
    pub fn add(&mut self, row: &Row<'_>, regime: &Regime, x: &[f64], count: f64) {
        let width = self.demand.len();
        for (demand, x) in self.demand.iter_mut().zip(x) {
            *demand += count * row.gang * x;
        }
        match regime.follows() {
            Follows::Nothing => {}
            Follows::Price(class) => self.weight[class * width + class] += count * row.weight,
            // What is taken of the second is the same expression with the two exchanged.
            Follows::Difference(a, b) => self.weight[a.min(b) * width + a.max(b)] += count * row.weight,
        }
    }

    /// Adds their demand at other prices, and how it follows them.
    pub fn add_to(&self, system: &mut System, prices: &[f64]) {
        let width = self.demand.len();
        for (sum, demand) in system.demand.iter_mut().zip(&self.demand) {
            *sum += demand;
        }
        for a in 0..width {
            for b in a..width {
                let weight = self.weight[a * width + b];
                if weight == 0.0 {
                    continue;
                }
                let (sign, from, to) = if a == b {
                    (0.0, self.prices[a], prices[a])
                } else {
                    (-1.0, self.prices[a] - self.prices[b], prices[a] - prices[b])
                };
                let more = weight * (from - to) / (from * to);
                system.demand[a] += more;
                system.demand[b] += sign * more;
                system.curve(&[(a, 1.0), (b, sign)], -weight / (to * to));
            }
        }
    }
}
