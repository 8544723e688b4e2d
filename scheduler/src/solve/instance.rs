//! Instances from a seed, the same on every machine: what measurements and tests solve.

use super::program::{Aim, Program, Row, Step, Supply};
use crate::dice::Dice;
use serde::{Deserialize, Serialize};

/// What an instance asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The least speed is as large as it can be.
    MaxMin,
    /// The product of speeds is as large as it can be.
    Nash,
    /// Budgets, limits and asks meet.
    Exchange,
}

/// An instance, as it is handed to other solvers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// What is optimised.
    pub objective: Objective,
    /// The seed.
    pub seed: u64,
    /// Jobs by classes: progress per second of the whole gang. For `exchange` money per round: limits times gangs times
    /// relative speeds.
    pub speed: Vec<Vec<f64>>,
    /// Devices that each job takes.
    pub gang: Vec<f64>,
    /// Weights of `nash`: 1.
    pub weight: Vec<f64>,
    /// Devices of each class.
    pub capacity: Vec<f64>,
    /// `exchange`: money per round of each fair job; `null` marks a bid.
    pub budget: Option<Vec<Option<f64>>>,
    /// `exchange`: the most that each pays for a device on its fastest class.
    pub limit: Option<Vec<f64>>,
    /// `exchange`: for each class its sellers' steps, ask and devices.
    pub ask: Option<Vec<Vec<[f64; 2]>>>,
}

/// Numbers from a seed.
#[derive(Debug, Clone)]
pub struct Numbers(Dice);

impl Numbers {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Dice::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// The next number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        let high = u32::try_from(self.bits() >> 32).unwrap_or(0);
        f64::from(high) / 4_294_967_296.0
    }

    /// The next number between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Gangs of 1, 2, 4 and 8 devices, and how many of a hundred jobs have at most each.
const GANGS: [(f64, f64); 4] = [(1.0, 0.70), (2.0, 0.80), (4.0, 0.95), (8.0, 1.0)];
/// Devices per job, over all classes.
const DEVICES_PER_JOB: f64 = 0.75;

impl Instance {
    /// The instance of a seed: gangs 1, 2, 4, 8 with shares .70, .10, .15, .05; 0.75 devices per job, spread evenly over the
    /// classes; each class some 1.4 times as fast as the one before, each job with its own taste between half and twice that.
    #[must_use]
    pub fn new(objective: Objective, jobs: usize, classes: usize, seed: u64) -> Self {
        let mut numbers = Numbers::new(seed ^ 0x5057_4B5F_534F_554B);
        let (mut speed, mut gang) = (Vec::with_capacity(jobs), Vec::with_capacity(jobs));
        for _ in 0..jobs {
            let lot = numbers.unit();
            let own = GANGS.iter().find(|(_, up_to)| lot < *up_to).map_or(1.0, |(gang, _)| *gang);
            let pace = numbers.between(0.5, 2.0) * libm::pow(own, 0.9);
            let mut of_class = 1.0;
            let speeds = (0..classes).map(|_| {
                let speed = pace * of_class * numbers.between(0.5, 2.0);
                of_class *= 1.4;
                speed
            });
            speed.push(speeds.collect());
            gang.push(own);
        }
        let each = DEVICES_PER_JOB * count(jobs) / count(classes.max(1));
        let mut instance = Self {
            objective,
            seed,
            speed,
            gang,
            weight: vec![1.0; jobs],
            capacity: vec![each; classes],
            budget: None,
            limit: None,
            ask: None,
        };
        if objective == Objective::Exchange {
            instance.add_money(&mut numbers);
        }
        instance
    }

    /// Half of the jobs are fair ones with budgets, half bids; four asks per class.
    fn add_money(&mut self, numbers: &mut Numbers) {
        let (mut budgets, mut limits) = (Vec::new(), Vec::new());
        for (speeds, gang) in self.speed.iter_mut().zip(&self.gang) {
            let fair = numbers.unit() < 0.5;
            let limit = numbers.between(0.5, 4.0);
            let fastest = speeds.iter().copied().fold(0.0, f64::max);
            for speed in speeds.iter_mut() {
                *speed = limit * gang * *speed / fastest;
            }
            limits.push(limit);
            budgets.push(fair.then(|| numbers.between(0.2, 2.0)));
        }
        let asks = self.capacity.iter().map(|devices| {
            let mut step = || [numbers.between(0.1, 1.5), devices / 4.0];
            vec![step(), step(), step(), step()]
        });
        self.ask = Some(asks.collect());
        (self.budget, self.limit) = (Some(budgets), Some(limits));
    }

    /// The programme of the instance.
    #[must_use]
    pub fn program(&self) -> Program {
        let aim = |job: usize| match (self.objective, &self.budget) {
            (Objective::MaxMin, _) => Aim::Level { reference: 1.0 },
            (Objective::Exchange, Some(budgets)) => budgets[job].map_or(Aim::Pay, |budget| Aim::Spend { budget }),
            (Objective::Nash | Objective::Exchange, _) => Aim::Log { weight: self.weight[job] },
        };
        let rows = self.gang.iter().enumerate();
        let supply = self.capacity.iter().enumerate().map(|(class, devices)| match &self.ask {
            Some(asks) => {
                let steps = asks[class].iter().map(|[ask, devices]| Step { ask: *ask, devices: *devices });
                Supply { free: 0.0, steps: steps.collect() }
            }
            None => Supply { free: *devices, steps: Vec::new() },
        });
        Program {
            rows: rows.map(|(job, gang)| Row { aim: aim(job), gang: *gang, floor: 0.0 }).collect(),
            speeds: self.speed.concat(),
            supply: supply.collect(),
        }
    }
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::INFINITY, f64::from)
}
