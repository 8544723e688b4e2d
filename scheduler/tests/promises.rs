//! Promised finish times through whole plans, in many random lives: under a cap, whatever comes, goes, changes weight, bids or rents,
//! nobody who was promised a time finishes after it, unless devices were lost.
//!
//! `SOUK_CASES` says how many lives; one seed names one life. The figures are told in docs/FAIRNESS.md.

#![allow(clippy::print_stdout, reason = "figures are what the suite is for")]

mod worlds;

use scheduler::fairness::promise::{Admission, Candidate, Promise, admit, backed};
use scheduler::fairness::weight;
use scheduler::world::{At, DemandId, Holding, Job, JobId, Micros, Millis, NodeState, Rules, SharePolicy, Want};
use scheduler::{on_demand_room, plan, verify};
use std::collections::BTreeMap;
use worlds::life::{applied, close, later};
use worlds::random::Dice;
use worlds::{MINUTE, World, at, class, rules};

const CLASS: &str = "a100-80gb";
/// Rounds of a life, early ones among them.
const ROUNDS: usize = 60;

/// How many random lives: `SOUK_CASES`, or so many.
#[expect(clippy::disallowed_methods, reason = "how long to search is not a setting of the market")]
fn cases(usual: u64) -> u64 {
    let asked = std::env::var("SOUK_CASES").ok();
    asked.map_or(usual, |count| count.parse().expect("SOUK_CASES is a number of random lives"))
}

/// What happens besides the jobs that were promised something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Luck {
    /// Jobs only, and rounds on time: the setting of the theorem.
    Calm,
    /// Bids, rentals at the posted price, early and late rounds, notices, minimum runs, changed caps.
    Busy,
    /// The same, and nodes are lost.
    Bad,
}

fn settings(dice: &mut Dice, luck: Luck) -> Rules {
    let calm = Rules {
        share_policy: dice.pick(SharePolicy::ALL),
        admission_cap_milli: Some(dice.pick(&[1000, 2000, 4000, 10_000])),
        phi_ppm: 1_000_000,
        notice: Millis::ZERO,
        restart: Millis::new(dice.pick(&[0, 5_000])),
        ..rules()
    };
    if luck == Luck::Calm {
        return calm;
    }
    Rules {
        phi_ppm: dice.pick(&[1_000_000, 750_000, 500_000]),
        notice: Millis::new(dice.pick(&[0, 10_000, 30_000, 90_000])),
        min_run: Millis::new(dice.pick(&[0, 0, 60_000, 100_000, 180_000])),
        ..calm
    }
}

struct Life {
    luck: Luck,
    dice: Dice,
    rules: Rules,
    world: World,
    gang: i32,
    given: BTreeMap<JobId, (Promise, At, bool)>,
    kept: usize,
    late: Vec<(Promise, At)>,
    rounds: u64,
    refused: u64,
    /// The most that was owed to somebody, beyond which its promise would have been missed, in millionths of `behind`.
    closest: i64,
}

impl Life {
    fn new(seed: u64, luck: Luck) -> Self {
        let mut dice = Dice::new(seed);
        let rules = settings(&mut dice, luck);
        let gang = dice.pick(&[1, 1, 2, 4]);
        let mut world = World::new();
        for number in 1..=u64::try_from(dice.range(1, 4)).expect("positive") {
            let floor = dice.range(8, 12) * 10;
            world = world.node(number, CLASS, dice.pick(&[2, 4, 4, 7, 8]), floor);
        }
        let (given, late) = (BTreeMap::new(), Vec::new());
        let mut life =
            Self { luck, dice, rules, world, gang, given, kept: 0, late, rounds: 0, refused: 0, closest: i64::MIN };
        // A full pool from the start, in most lives with bids that leave jobs nothing but their share.
        for _ in 0..life.dice.range(0, 30) {
            life.join();
        }
        if luck != Luck::Calm {
            for _ in 0..life.dice.range(0, 8) {
                life.bid();
            }
        }
        life
    }

    fn now(&self) -> At {
        self.world.snapshot.at
    }

    fn lives(&self) -> Vec<DemandId> {
        self.world.snapshot.demands.iter().map(scheduler::world::Demand::id).collect()
    }

    fn job_mut(&mut self, id: DemandId) -> Option<&mut Job> {
        let listed = self.world.snapshot.demands.iter_mut().find(|demand| demand.id() == id)?;
        if let Want::Job(job) = &mut listed.want { Some(job) } else { None }
    }

    fn join(&mut self) {
        // Now and then somebody comes who would spoil the others' promises.
        let odd = self.dice.chance(10);
        let gang = if odd { self.dice.pick(&[1, 2, 3]) } else { self.gang };
        let number = self.world.fresh();
        let mut world = self.world.clone().job(number, gang, &[(CLASS, 1000 * i64::from(gang))]);
        let demand = world.snapshot.demands.last_mut().expect("just made");
        demand.arrived_at = self.world.snapshot.at;
        let Want::Job(job) = &mut demand.want else { return };
        job.weight_milli = i32::try_from(self.dice.range(100, 2000)).expect("small");
        job.work = i64::from(gang) * self.dice.range(10_000, 500_000);
        job.budget_left = Micros::new(self.dice.pick(&[2_000_000, 20_000_000, 1_000_000_000_000]));
        let candidate = Candidate {
            gang,
            weight_milli: job.weight_milli,
            speeds: &job.speeds,
            work: job.work,
            budget: job.budget_left,
        };
        let given = self.given.iter().map(|(job, (promise, ..))| (*job, promise.cap_milli)).collect();
        let (id, now) = (job.job, self.now());
        let Ok(admission) = admit(&self.world.snapshot, &self.rules, &given, &candidate, now) else { return };
        if let Admission::Promised(promise) = admission {
            self.given.insert(id, (promise, now, true));
        }
        self.world = world;
    }

    fn reweight(&mut self, id: DemandId) {
        let wanted = i32::try_from(self.dice.range(100, 2000)).expect("small");
        let caps = self.given.values().map(|(promise, ..)| promise.cap_milli);
        let cap = caps.chain(self.rules.admission_cap_milli).min().expect("a cap");
        let before = self.world.clone();
        let Some(job) = self.job_mut(id) else { return };
        let (lowered, job_id) = (wanted < job.weight_milli, job.job);
        job.weight_milli = wanted;
        if weight::taken(&self.world.snapshot) > cap {
            self.world = before;
        } else if lowered {
            // Who asks for less than it was promised gives its promise up.
            self.given.remove(&job_id);
        }
    }

    /// Somebody comes, leaves, changes weight, bids or rents.
    fn change(&mut self) {
        let lives = self.lives();
        let any = |dice: &mut Dice| (!lives.is_empty()).then(|| dice.pick(&lives));
        match self.dice.range(0, 9) {
            0..=4 => self.join(),
            5 => {
                if let Some(id) = any(&mut self.dice) {
                    close(&mut self.world, id);
                    if let DemandId::Job(job) = id {
                        self.given.remove(&job);
                    }
                }
            }
            6 => {
                if let Some(id) = any(&mut self.dice) {
                    self.reweight(id);
                }
            }
            _ if self.luck == Luck::Calm => {}
            7 => self.bid(),
            8 => self.rent(),
            _ => self.rules.admission_cap_milli = Some(self.dice.pick(&[1000, 2000, 4000, 10_000, 20_000])),
        }
        if self.luck == Luck::Bad && self.dice.chance(4) {
            self.lose_a_node();
        }
    }

    fn bid(&mut self) {
        let (number, gang) = (self.world.fresh(), i32::try_from(self.dice.range(1, 4)).expect("small"));
        let limit = if self.dice.chance(50) { 50_000 } else { self.dice.range(5, 60) * 10 };
        self.world = self.world.clone().bid(number, &[CLASS], gang, limit);
    }

    fn rent(&mut self) {
        if self.dice.chance(50) {
            let rented = self.world.snapshot.holdings.iter().map(|holding| holding.demand);
            let rented: Vec<_> = rented.filter(|demand| matches!(demand, DemandId::OnDemand(_))).collect();
            rented.first().into_iter().for_each(|demand| close(&mut self.world, *demand));
            return;
        }
        let gang = i32::try_from(self.dice.range(1, 2)).expect("small");
        let room = on_demand_room(&self.world.snapshot, &self.rules, self.now());
        let waiting = self.world.snapshot.demands.iter();
        let waiting: i32 =
            waiting.filter(|demand| matches!(demand.want, Want::OnDemand(_))).map(|one| one.gang()).sum();
        if room.get(&class(CLASS)).is_some_and(|room| gang + waiting <= *room) {
            let nodes = i64::try_from(self.world.snapshot.nodes.len()).expect("few");
            let node = u64::try_from(self.dice.range(1, nodes)).expect("positive");
            let number = self.world.fresh();
            self.world = self.world.clone().on_demand(number, node, CLASS, gang);
        }
    }

    fn lose_a_node(&mut self) {
        let nodes = self.world.snapshot.nodes.len();
        let node = &mut self.world.snapshot.nodes[usize::try_from(self.dice.range(0, 99)).expect("small") % nodes];
        node.state = NodeState::Unavailable;
        let id = node.id;
        self.world.snapshot.holdings.retain(|holding| holding.node != id);
    }

    /// A round, and the time until the next.
    fn round(&mut self) {
        let planned = plan(&self.world.snapshot, &self.rules, self.now(), 0);
        self.rounds += 1;
        if verify(&self.world.snapshot, &self.rules, &planned).is_ok() {
            self.world = applied(&self.world, &planned, &self.rules);
        } else {
            // As in production: a plan that breaks a promise of the market is not applied, and what runs keeps running.
            self.refused += 1;
        }
        let early = self.luck != Luck::Calm && self.dice.chance(40);
        let span = match self.luck {
            Luck::Calm => MINUTE,
            Luck::Busy | Luck::Bad if early => self.dice.range(5_000, MINUTE),
            Luck::Busy | Luck::Bad => MINUTE + self.dice.range(0, 2_000),
        };
        let next = at(self.now().millis() + span);
        self.complete(next);
        later(&mut self.world, next);
        self.watch();
    }

    /// Closes jobs at the instant at which their work is done.
    fn complete(&mut self, until: At) {
        let done: Vec<(DemandId, At)> =
            self.world.snapshot.holdings.iter().filter_map(|holding| self.done(holding)).collect();
        for (id, instant) in done.into_iter().filter(|(_, instant)| *instant <= until) {
            close(&mut self.world, id);
            let DemandId::Job(job) = id else { continue };
            let Some((promise, made_at, backed)) = self.given.remove(&job) else { continue };
            self.closest = self.closest.max(owed(&promise, made_at, instant, &self.rules));
            if instant <= promise.finish_by {
                self.kept += 1;
            } else if backed {
                self.late.push((promise, instant));
            }
        }
    }

    /// When a running job is done, if its gang stays.
    fn done(&self, holding: &Holding) -> Option<(DemandId, At)> {
        let listed = self.world.snapshot.demands.iter().find(|demand| demand.id() == holding.demand)?;
        let Want::Job(job) = &listed.want else { return None };
        let from = holding.usable_at?.max(job.advanced_at);
        let missing = job.remaining() * 1000 - job.fairness.done_rest;
        let speed = job.speed_on(&holding.class);
        let instant = from.saturating_add(Millis::new((missing + speed - 1) / speed));
        holding.notice_until.is_none_or(|until| instant <= until).then_some((holding.demand, instant))
    }

    /// Notices what of the promises is no longer backed, and who is late already.
    fn watch(&mut self) {
        let now = self.now();
        let backed = backed(&self.world.snapshot, &self.rules, &class(CLASS), self.gang, now);
        for (promise, _, still) in self.given.values_mut() {
            *still &= backed >= promise.devices;
        }
        let late = self.given.values().filter(|(promise, _, backed)| *backed && now > promise.finish_by);
        self.late.extend(late.map(|(promise, ..)| (promise.clone(), now)));
        self.given.retain(|_, (promise, ..)| now <= promise.finish_by);
    }
}

/// How much of what the pool may owe it at most a job was owed when it finished, in millionths.
fn owed(promise: &Promise, made_at: At, finished: At, rules: &Rules) -> i64 {
    let waited = i128::from(finished.since(made_at).get() - 2 * rules.round.get());
    let owed = waited * i128::from(promise.share) / 1_000_000_000_000 - i128::from(promise.time.get());
    i64::try_from(owed * 1_000_000 / i128::from(promise.behind.get())).expect("small")
}

/// Lives of one kind; how many promises were kept, and how close the closest was to being missed.
fn live(luck: Luck) -> usize {
    let (mut kept, mut closest, mut rounds, mut refused) = (0, (i64::MIN, 0), 0, 0);
    for seed in 0..cases(300) {
        let mut life = Life::new(seed, luck);
        for _ in 0..ROUNDS {
            life.change();
            life.round();
        }
        assert!(life.late.is_empty(), "seed {seed}: {:?} under {:?}", life.late, life.rules);
        kept += life.kept;
        rounds += life.rounds;
        refused += life.refused;
        closest = closest.max((life.closest, seed));
    }
    println!(
        "{luck:?}: {kept} promises kept; the closest used {} millionths of what may be owed, seed {}; {refused} of {rounds} rounds refused",
        closest.0, closest.1
    );
    assert_eq!(refused, 0, "of {rounds} rounds");
    kept
}

#[test]
fn whoever_comes_goes_or_changes_weight_a_promise_is_kept() {
    assert!(live(Luck::Calm) > 300);
}

#[test]
fn nor_do_bids_rentals_notices_and_early_rounds_break_one() {
    assert!(live(Luck::Busy) > 300);
}

#[test]
fn a_promise_is_broken_by_the_loss_of_devices_only() {
    assert!(live(Luck::Bad) > 100);
}
