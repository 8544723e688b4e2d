//! The bound on lag through whole plans, in many random lives: proved where the theorem holds, measured where it does not.
//!
//! `SOUK_CASES` says how many lives; one seed names one life. The figures are told in docs/FAIRNESS.md.

#![allow(clippy::print_stdout, reason = "figures are what the suite is for")]

mod worlds;

use scheduler::world::{DemandId, Millis, Rules, SharePolicy, Want};
use scheduler::{plan, verify};
use worlds::life::{applied, close, later};
use worlds::random::Dice;
use worlds::{MINUTE, World, at, rules};

/// Rounds of a life.
const ROUNDS: usize = 40;
/// On one class with gangs of several sizes nobody may be owed more than this many thousandths of a round.
const GANGS_BOUND: i64 = 8_000;
/// Nor on several classes.
const CLASSES_BOUND: i64 = 8_000;

/// How many random lives: `SOUK_CASES`, or so many.
#[expect(clippy::disallowed_methods, reason = "how long to search is not a setting of the market")]
fn cases(usual: u64) -> u64 {
    let asked = std::env::var("SOUK_CASES").ok();
    asked.map_or(usual, |count| count.parse().expect("SOUK_CASES is a number of random lives"))
}

/// A shared cluster: everything is the jobs', and who leaves leaves at once.
fn shared() -> Rules {
    Rules { share_policy: SharePolicy::MaxMin, phi_ppm: 1_000_000, notice: Millis::ZERO, ..rules() }
}

/// What lives a life: its nodes, and how its jobs are made.
struct Life {
    dice: Dice,
    world: World,
    gangs: Vec<i32>,
    classes: Vec<&'static str>,
}

impl Life {
    /// Jobs of one gang on one class, on nodes that the gang divides.
    fn equal(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let gang = dice.pick(&[1, 2, 4]);
        let nodes = u64::try_from(dice.range(1, 4)).expect("positive");
        let world = (1..=nodes).fold(World::new(), |world, number| world.node(number, "a100-80gb", 4, 100));
        Self::begun(dice, world, vec![gang], vec!["a100-80gb"])
    }

    /// Gangs of one to a whole node, powers of two, on nodes of one size and of so many classes.
    fn mixed(seed: u64, classes: usize) -> Self {
        let mut dice = Dice::new(seed);
        let classes = ["a100-80gb", "h100-80gb", "l4-24gb"][..classes].to_vec();
        let size: u64 = dice.pick(&[4, 8]);
        let mut world = World::new();
        for number in 1..=u64::try_from(dice.range(2, 5)).expect("positive") {
            let class = dice.pick(&classes);
            world = world.node(number, class, size, 100);
        }
        let gangs = [1, 1, 2, 4, 8].into_iter().filter(|gang| u64::try_from(*gang).is_ok_and(|gang| gang <= size));
        Self::begun(dice, world, gangs.collect(), classes)
    }

    fn begun(dice: Dice, world: World, gangs: Vec<i32>, classes: Vec<&'static str>) -> Self {
        let mut life = Self { dice, world, gangs, classes };
        for _ in 0..life.dice.range(1, 14) {
            life.join();
        }
        life
    }

    fn join(&mut self) {
        let gang = self.dice.pick(&self.gangs);
        let speeds: Vec<(&str, i64)> =
            self.classes.iter().map(|class| (*class, i64::from(gang) * 500 * self.dice.range(1, 6))).collect();
        let number = self.world.fresh();
        self.world = self.world.clone().job(number, gang, &speeds);
        let last = self.world.snapshot.demands.len() - 1;
        self.reweight(last);
    }

    fn reweight(&mut self, demand: usize) {
        let weight = i32::try_from(self.dice.range(100, 4000)).expect("small");
        if let Want::Job(job) = &mut self.world.snapshot.demands[demand].want {
            job.weight_milli = weight;
        }
    }

    /// Somebody comes, leaves or changes weight, in half of the rounds.
    fn change(&mut self) {
        let demands = i64::try_from(self.world.snapshot.demands.len()).expect("few");
        let any = |dice: &mut Dice| usize::try_from(dice.range(0, demands - 1)).expect("small");
        match self.dice.range(0, 5) {
            0 => self.join(),
            1 if demands > 0 => {
                let id = self.world.snapshot.demands[any(&mut self.dice)].id();
                close(&mut self.world, id);
            }
            2 if demands > 0 => {
                let demand = any(&mut self.dice);
                self.reweight(demand);
            }
            _ => {}
        }
    }

    /// The largest lag of a life, in thousandths of a round.
    fn largest_lag(mut self) -> i64 {
        let rules = shared();
        let mut largest = 0;
        for _ in 0..ROUNDS {
            let planned = plan(&self.world.snapshot, &rules, self.world.snapshot.at, 0);
            assert_eq!(verify(&self.world.snapshot, &rules, &planned), Ok(()));
            let listed = |job| {
                let demands = &self.world.snapshot.demands;
                demands.iter().any(|demand| demand.id() == DemandId::Job(job))
            };
            let lags = planned.fairness.iter().filter(|standing| listed(standing.job));
            largest = lags.map(|standing| standing.lag_millis * 1000 / MINUTE).max().unwrap_or(0).max(largest);
            self.world = applied(&self.world, &planned, &rules);
            let next = at(self.world.snapshot.at.millis() + MINUTE);
            later(&mut self.world, next);
            self.change();
        }
        largest
    }
}

/// The largest lag over many lives, and the seed of the one that had it.
fn worst(lives: u64, life: impl Fn(u64) -> Life) -> (i64, u64) {
    let worst = (0..lives).map(|seed| (life(seed).largest_lag(), seed)).max().unwrap_or_default();
    println!("largest lag over {lives} lives of {ROUNDS} rounds: {} thousandths of a round, seed {}", worst.0, worst.1);
    worst
}

#[test]
fn equal_gangs_on_one_class_are_never_a_round_behind() {
    let (lag, seed) = worst(cases(300), Life::equal);
    assert!(lag < 1000, "seed {seed}: {lag} thousandths of a round");
}

#[test]
fn mixed_gangs_on_one_class_stay_within_the_published_bound() {
    let (lag, seed) = worst(cases(300), |seed| Life::mixed(seed, 1));
    assert!(lag <= GANGS_BOUND, "seed {seed}: {lag} thousandths of a round");
}

#[test]
fn mixed_classes_stay_within_the_published_bound() {
    let (lag, seed) = worst(cases(300), |seed| Life::mixed(seed, 3));
    assert!(lag <= CLASSES_BOUND, "seed {seed}: {lag} thousandths of a round");
}
