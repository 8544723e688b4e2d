//! The proof of an answer, from the programme and the answer's numbers alone: nothing that a solver says of itself counts.
//!
//! *Feasible*: every limit is recomputed from `x`. *Optimal*: any prices at all bound the objective from above,
//!
//! ```text
//! bound(p) = sum_k ( p_k free_k + sum_m devices_km (p_k - ask_km)+ ) + sum_j max over x_j alone of ( aim_j - gang_j p x_j )
//! ```
//!
//! and the last maximum is a problem of one row, solved here exactly by walking up the price of its time. For a level the
//! values of the rows' utilities are prices too. The gap between bound and objective is what the prices prove.

use super::answer::Answer;
use super::program::{Aim, Program};

/// The largest relative gap of a certified answer.
pub const GAP_MAX: f64 = 1e-6;
/// The largest relative violation of a limit: rounding.
pub const VIOLATION_MAX: f64 = 1e-9;

/// What is proved of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// The objective, recomputed from `x`, over the rows that can run.
    pub objective: f64,
    /// No allocation can do better than this.
    pub bound: f64,
    /// The distance between the two: relative for a level and for money (to what bids pay and budgets have, at least to
    /// what the largest bid would pay), per unit of weight where logarithms are summed (their sum depends on the unit of
    /// speed, their mean difference does not).
    pub gap: f64,
    /// The largest violation of a limit, relative to it.
    pub violation: f64,
}

impl Certificate {
    /// Nothing proved.
    pub const NONE: Self = Self { objective: f64::NAN, bound: f64::NAN, gap: f64::INFINITY, violation: f64::INFINITY };

    /// Whether the answer is proved.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.gap <= GAP_MAX && self.violation <= VIOLATION_MAX
    }

    /// Proves an answer, as far as it can be.
    #[must_use]
    pub fn of(program: &Program, answer: &Answer) -> Self {
        if answer.x.iter().chain(&answer.prices).chain(&answer.values).any(|number| !number.is_finite()) {
            return Self::NONE;
        }
        let runs = |row: &usize| answer.stranded.binary_search(row).is_err();
        let rows: Vec<usize> = (0..program.rows.len()).filter(runs).collect();
        if rows.is_empty() {
            return Self { objective: 0.0, bound: 0.0, gap: 0.0, violation: 0.0 };
        }
        let objective = objective(program, answer, &rows);
        let (bound, scale) = bound(program, answer, &rows);
        let distance = bound - objective;
        let scale = scale.unwrap_or_else(|| objective.abs().max(f64::MIN_POSITIVE));
        let gap = if distance.is_nan() { f64::INFINITY } else { distance.abs() / scale };
        Self { objective, bound, gap, violation: violation(program, answer) }
    }
}

fn objective(program: &Program, answer: &Answer, rows: &[usize]) -> f64 {
    if program.is_level() {
        let levels = rows.iter().map(|row| match program.rows[*row].aim {
            Aim::Level { reference } => answer.rates[*row] / reference,
            Aim::Log { .. } | Aim::Spend { .. } | Aim::Pay => f64::INFINITY,
        });
        return levels.fold(f64::INFINITY, f64::min);
    }
    let of_rows: f64 = rows
        .iter()
        .map(|row| match program.rows[*row].aim {
            Aim::Log { weight } => weight * libm::log(answer.rates[*row]),
            Aim::Spend { budget } => budget * libm::log(answer.rates[*row] + answer.cash[*row]) - answer.cash[*row],
            Aim::Pay => answer.rates[*row],
            Aim::Level { .. } => 0.0,
        })
        .sum();
    let costs = program.supply.iter().zip(&answer.sold).flat_map(|(supply, sold)| supply.steps.iter().zip(sold));
    of_rows - costs.map(|(step, sold)| step.ask * sold).sum::<f64>()
}

/// The bound that the prices prove, and what to measure the gap by if not by the objective.
fn bound(program: &Program, answer: &Answer, rows: &[usize]) -> (f64, Option<f64>) {
    let prices: Vec<f64> = answer.prices.iter().map(|price| price.max(0.0)).collect();
    let of_supply: f64 = prices
        .iter()
        .zip(&program.supply)
        .map(|(price, supply)| {
            let steps = supply.steps.iter().map(|step| step.devices * (price - step.ask).max(0.0));
            price * supply.free + steps.sum::<f64>()
        })
        .sum();
    let (mut sum, mut scale, mut level_value) = (of_supply, 0.0, 0.0);
    let (mut alone_at_most, mut largest_bid) = (f64::INFINITY, 0.0_f64);
    for row in rows {
        let it = program.rows[*row];
        let speeds = program.speeds_of(*row);
        let subsidy = answer.subsidies[*row].max(0.0);
        let alone = Alone { speeds, prices: &prices, gang: it.gang, subsidy, supply: program };
        sum -= subsidy * it.floor;
        match it.aim {
            Aim::Log { weight } => {
                sum += alone.best_log(weight, f64::INFINITY);
                scale += weight;
            }
            Aim::Spend { budget } => {
                sum += alone.best_log(budget, 1.0);
                scale += budget;
            }
            Aim::Pay => {
                sum += alone.surplus(1.0 + subsidy);
                scale += answer.rates[*row];
                largest_bid = largest_bid.max(alone.fastest());
            }
            Aim::Level { reference } => {
                let value = answer.values[*row].max(subsidy);
                sum += alone.surplus(value);
                level_value += reference * (value - subsidy);
                alone_at_most = alone_at_most.min(alone.fastest() / reference);
            }
        }
    }
    // No level is above what its slowest row reaches with all its time on its fastest class: the bound of free devices.
    if program.is_level() {
        ((sum / level_value).min(alone_at_most), None)
    } else {
        (sum, Some(scale.max(largest_bid).max(f64::MIN_POSITIVE)))
    }
}

/// A row that faces prices alone.
struct Alone<'a> {
    speeds: &'a [f64],
    prices: &'a [f64],
    gang: f64,
    subsidy: f64,
    supply: &'a Program,
}

impl Alone<'_> {
    fn cost(&self, class: usize) -> f64 {
        self.gang * self.prices[class]
    }

    fn usable(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.speeds.len()).filter(|class| self.speeds[*class] > 0.0 && self.supply.capacity(*class) > 0.0)
    }

    fn fastest(&self) -> f64 {
        self.usable().map(|class| self.speeds[class]).fold(0.0, f64::max)
    }

    /// The most that a row with this value of utility can gain.
    fn surplus(&self, value: f64) -> f64 {
        self.usable().map(|class| value * self.speeds[class] - self.cost(class)).fold(0.0, f64::max)
    }

    /// `max over x of ( weight ln(u + d) - d + subsidy u - cost )`, keeping money worth `keep` per unit at most.
    ///
    /// With q the price of time a unit of utility costs `rho(q) = min_k (gang p_k + q) / s_k - subsidy`, and the maximum is
    /// the minimum over q of `q + weight ln(weight / rho) - weight`: convex, and simple between the classes' crossings.
    fn best_log(&self, weight: f64, keep: f64) -> f64 {
        let unit_cost = |class: usize, q: f64| (self.cost(class) + q) / self.speeds[class];
        let cheapest = self.usable().min_by(|a, b| {
            let by_cost = unit_cost(*a, 0.0).total_cmp(&unit_cost(*b, 0.0));
            by_cost.then(self.speeds[*b].total_cmp(&self.speeds[*a]))
        });
        let Some(mut class) = cheapest else { return f64::INFINITY };
        let mut q = 0.0;
        for _ in 0..=self.speeds.len() {
            let rho = unit_cost(class, q) - self.subsidy;
            if rho >= keep || self.speeds[class] * rho >= weight {
                break;
            }
            let enough = (weight.min(keep * self.speeds[class]) + self.subsidy * self.speeds[class]) - self.cost(class);
            let crossing = |next: usize| {
                let (own, other) = (self.speeds[class], self.speeds[next]);
                (self.cost(next) * own - self.cost(class) * other) / (other - own)
            };
            let faster = self.usable().filter(|next| self.speeds[*next] > self.speeds[class]);
            let next = faster
                .map(|next| (crossing(next).max(q), next))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(self.speeds[b.1].total_cmp(&self.speeds[a.1])));
            match next {
                Some((at, next)) if at < enough => (q, class) = (at, next),
                _ => {
                    q = enough.max(q);
                    break;
                }
            }
        }
        let rho = self.usable().map(|class| unit_cost(class, q)).fold(f64::INFINITY, f64::min) - self.subsidy;
        let rho = rho.min(keep);
        if rho > 0.0 { q + weight * libm::log(weight / rho) - weight } else { f64::INFINITY }
    }
}

fn violation(program: &Program, answer: &Answer) -> f64 {
    let classes = program.classes();
    let mut used = vec![0.0; classes];
    let mut worst = 0.0_f64;
    for (row, x) in answer.x.chunks_exact(classes.max(1)).enumerate() {
        let it = program.rows[row];
        worst = worst.max(x.iter().sum::<f64>() - 1.0);
        for (class, x) in x.iter().enumerate() {
            worst = worst.max(-x);
            used[class] += it.gang * x;
        }
        if it.floor > 0.0 {
            worst = worst.max((it.floor - answer.rates[row]) / it.floor * FLOOR_SLACK);
        }
        worst = worst.max(-answer.cash[row]);
    }
    for (class, used) in used.iter().enumerate() {
        let sold: f64 = answer.sold[class].iter().sum();
        let allowed = program.supply[class].free + sold;
        if *used > allowed {
            worst = worst.max((used - allowed) / program.capacity(class).max(f64::MIN_POSITIVE));
        }
    }
    worst
}

/// A floor may be missed by rounding that limits may not: the same devices cannot be scaled both up and down.
const FLOOR_SLACK: f64 = 1e-2;
