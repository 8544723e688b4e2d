//! OEF: how tenants share mixed GPUs so that nobody envies anybody, with the greatest total speed-up.
//!
//! Tenant `l` runs `w[l][k]` times as fast on class `k` as on its slowest; with `x[l][k]` devices its progress is
//! `u_l = w_l . x_l`. A tenant of weight `e` counts as `e` tenants of weight one, so that bundles are compared per weight.
//!
//! ```text
//! cooperative      maximise  sum_l u_l   subject to   w_l . x_l / e_l >= w_l . x_i / e_i   for all l and i
//! non-cooperative  maximise  sum_l u_l   subject to   u_l / e_l equal for all l
//! ```
//!
//! Nobody envies anybody in the first, hence everybody does at least as well as with its part of every class. The second
//! gives everybody the same and is harder to profit from by overstating a speed; understating one may still pay (the
//! product therefore takes speeds from operators' profiles, never from tenants).
//!
//! Source: "Optimal resource efficiency with fairness in heterogeneous GPU clusters", Middleware 2024; the solution by
//! rows made when they are violated, and the certificate, are ours. Floats live here, and no decision.

mod cooperative;
mod noncooperative;
pub(super) mod pool;
mod program;
pub mod rounds;
#[cfg(test)]
mod tests;

pub use cooperative::cooperative;
pub use noncooperative::noncooperative;
pub use program::Unsolved;

/// Tenants and what there is to share.
#[derive(Debug, Clone, PartialEq)]
pub struct Market {
    /// Devices of each class.
    pub capacity: Vec<f64>,
    /// For each tenant its speed on each class, relative to the slowest it can use; 0 where it cannot run.
    pub speeds: Vec<Vec<f64>>,
    /// For each tenant its weight, above 0.
    pub weights: Vec<f64>,
}

/// Who gets how many devices of which class, and what proves that it is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Division {
    /// Devices of each class for each tenant.
    pub devices: Vec<Vec<f64>>,
    /// `u_l`: what each tenant makes of them.
    pub progress: Vec<f64>,
    /// No division that meets the constraints has a greater sum of progress: from the prices, not from the solver's word.
    pub bound: f64,
    /// How often the program was solved: rows are added as they are found violated.
    pub solves: usize,
}

impl Market {
    /// Speeds relative to the slowest class that each tenant can use.
    #[must_use]
    pub fn new(capacity: Vec<f64>, speeds: &[Vec<f64>], weights: Vec<f64>) -> Self {
        let relative = |row: &Vec<f64>| {
            let slowest = row.iter().copied().filter(|speed| *speed > 0.0).fold(f64::INFINITY, f64::min);
            row.iter().map(|speed| if *speed > 0.0 { speed / slowest } else { 0.0 }).collect()
        };
        Self { capacity, speeds: speeds.iter().map(relative).collect(), weights }
    }

    /// What a tenant would make of a bundle.
    fn worth(&self, tenant: usize, devices: &[f64]) -> f64 {
        self.speeds[tenant].iter().zip(devices).map(|(speed, devices)| speed * devices).sum()
    }

    /// The part of everything that a tenant's weight stands for.
    fn part(&self, tenant: usize) -> f64 {
        self.weights[tenant] / self.weights.iter().sum::<f64>()
    }
}

impl Division {
    /// Solver's noise removed: nothing below zero, nothing above what there is, and what is left over shared by weight
    /// (which makes nobody envious).
    fn new(market: &Market, mut devices: Vec<Vec<f64>>, bound: f64, solves: usize) -> Self {
        for row in &mut devices {
            row.iter_mut().for_each(|amount| *amount = amount.max(0.0));
        }
        for (class, capacity) in market.capacity.iter().enumerate() {
            let used: f64 = devices.iter().map(|row| row[class]).sum();
            for (tenant, row) in devices.iter_mut().enumerate() {
                if used > *capacity {
                    row[class] *= capacity / used;
                } else {
                    row[class] += (capacity - used) * market.part(tenant);
                }
            }
        }
        let progress = devices.iter().enumerate().map(|(tenant, row)| market.worth(tenant, row)).collect();
        Self { devices, progress, bound, solves }
    }

    /// The sum of progress.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.progress.iter().sum()
    }

    /// How far the sum may be below the best possible, relative to it.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.bound - self.total()).max(0.0) / self.bound.max(f64::MIN_POSITIVE)
    }

    /// The most that anybody prefers another's bundle, per weight; at most 0 if nobody envies.
    #[must_use]
    pub fn envy(&self, market: &Market) -> f64 {
        let tenants = 0..self.devices.len();
        let pairs = tenants.clone().flat_map(|from| tenants.clone().map(move |to| (from, to)));
        pairs.map(|(from, to)| envy(market, &self.devices, from, to)).fold(0.0, f64::max)
    }

    /// The most that anybody falls short of its part of every class.
    #[must_use]
    pub fn sharing(&self, market: &Market) -> f64 {
        let short =
            |tenant: usize| market.worth(tenant, &market.capacity) * market.part(tenant) - self.progress[tenant];
        (0..self.devices.len()).map(short).fold(0.0, f64::max)
    }
}

/// How much a tenant prefers another's bundle to its own, per weight.
fn envy(market: &Market, devices: &[Vec<f64>], from: usize, to: usize) -> f64 {
    market.worth(from, &devices[to]) / market.weights[to] - market.worth(from, &devices[from]) / market.weights[from]
}
