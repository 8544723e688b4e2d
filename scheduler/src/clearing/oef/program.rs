//! A linear program in a division's variables, its rows as sparse lists, and a bound from its prices.

use super::Market;
use crate::solve::conic;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSolution, SolverStatus};

/// The solver found no optimum: what it said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the program has not been solved: {0}")]
pub struct Unsolved(String);

/// `sum of coefficient * variable <= limit`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) limit: f64,
}

/// Maximise `objective . x` for `x >= 0`.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) objective: Vec<f64>,
    /// No variable is greater in any point that meets the rows.
    pub(super) most: Vec<f64>,
    pub(super) rows: Vec<Row>,
}

/// The optimum, and a bound on what any point reaches.
#[derive(Debug, Clone)]
pub(super) struct Optimum {
    pub(super) point: Vec<f64>,
    pub(super) bound: f64,
}

impl Program {
    /// One variable for each tenant and class, at most what there is of each class.
    pub(super) fn of(market: &Market) -> Self {
        let (tenants, classes) = (market.speeds.len(), market.capacity.len());
        let rows = market.capacity.iter().enumerate().map(|(class, capacity)| Row {
            terms: (0..tenants).map(|tenant| (tenant * classes + class, 1.0)).collect(),
            limit: *capacity,
        });
        Self {
            objective: market.speeds.concat(),
            most: (0..tenants).flat_map(|_| market.capacity.clone()).collect(),
            rows: rows.collect(),
        }
    }

    /// Solves it. The first `equal` rows hold with equality.
    pub(super) fn solve(&self, equal: usize) -> Result<Optimum, Unsolved> {
        let signs = (0..self.objective.len()).map(|variable| Row { terms: vec![(variable, -1.0)], limit: 0.0 });
        let rows: Vec<Row> = self.rows.iter().cloned().chain(signs).collect();
        let entries = rows.iter().enumerate().flat_map(|(row, Row { terms, .. })| {
            terms.iter().map(move |(variable, coefficient)| (row, *variable, *coefficient))
        });
        let entries: Vec<(usize, usize, f64)> = entries.collect();
        let limits: Vec<f64> = rows.iter().map(|row| row.limit).collect();
        let cones = [ZeroConeT(equal), NonnegativeConeT(rows.len() - equal)];
        let DefaultSolution { status, x: point, z: prices, .. } =
            conic::solve(&self.objective, &entries, &limits, &cones).map_err(|error| Unsolved(error.to_string()))?;
        match status {
            SolverStatus::Solved | SolverStatus::AlmostSolved | SolverStatus::InsufficientProgress => {
                Ok(Optimum { bound: self.bound(equal, &prices), point })
            }
            status => Err(Unsolved(format!("{status:?}"))),
        }
    }

    /// A bound from prices of the rows, whatever they are: what the limits are worth, and for each variable that still
    /// pays at these prices, the most it can be.
    fn bound(&self, equal: usize, prices: &[f64]) -> f64 {
        let mut reduced = self.objective.clone();
        let mut bound = 0.0;
        for (row, price) in self
            .rows
            .iter()
            .zip(prices)
            .enumerate()
            .map(|(at, (row, price))| (row, if at < equal { *price } else { price.max(0.0) }))
        {
            bound += row.limit * price;
            for (variable, coefficient) in &row.terms {
                reduced[*variable] -= coefficient * price;
            }
        }
        bound + reduced.iter().zip(&self.most).map(|(left, most)| left.max(0.0) * most).sum::<f64>()
    }
}
