//! From fractions of time to whole gangs in a pool's rounds: how far what was given by right stays from what was divided.

mod worlds;

use scheduler::world::{DemandId, Millis, Rules, SharePolicy, Want};
use scheduler::{Why, plan, verify};
use std::collections::BTreeMap;
use worlds::life::{applied, later};
use worlds::random::Dice;
use worlds::{MINUTE, World, at, job, rules};

const CLASSES: [&str; 3] = ["a100-80gb", "h100-80gb", "l4-24gb"];
/// Trillionths.
const WHOLE: f64 = 1e12;

fn under(share_policy: SharePolicy) -> Rules {
    Rules { share_policy, phi_ppm: 1_000_000, notice: Millis::ZERO, ..rules() }
}

/// Rounds by right and rounds due, by job and class.
type Account = BTreeMap<(DemandId, String), (f64, f64)>;

/// Plays rounds of a minute, each verified.
fn play(mut world: World, rules: &Rules, rounds: u32) -> Account {
    let mut account = Account::new();
    for round in 0..rounds {
        later(&mut world, at(i64::from(round) * MINUTE));
        let planned = plan(&world.snapshot, rules, world.snapshot.at, 0);
        assert_eq!(verify(&world.snapshot, rules, &planned), Ok(()), "round {round} of {rules:?}");
        for grant in planned.grants.iter().filter(|grant| grant.why == Why::Entitled) {
            account.entry((grant.demand, grant.class.to_string())).or_default().0 += 1.0;
        }
        for standing in &planned.fairness {
            for target in &standing.state.targets {
                let due = account.entry((DemandId::Job(standing.job), target.class.to_string())).or_default();
                due.1 += fraction(target.share);
            }
        }
        world = applied(&world, &planned, rules);
    }
    account
}

#[expect(clippy::cast_precision_loss, reason = "a fraction")]
fn fraction(trillionths: i64) -> f64 {
    trillionths as f64 / WHOLE
}

/// The most that any account is off, in rounds.
fn off(account: &Account) -> f64 {
    account.values().map(|(given, due)| (given - due).abs()).fold(0.0, f64::max)
}

/// Eight devices of each class, and jobs that are each 1 to 2 times as fast on a class as on the one before.
fn mixed(dice: &mut Dice, gangs: &[i32]) -> World {
    let nodes = (1..).zip(CLASSES);
    let mut world = nodes.fold(World::new(), |world, (number, class)| world.node(number, class, 8, 100));
    let tenants = u64::try_from(dice.range(4, 11)).expect("few");
    for number in 101..=100 + tenants {
        let gang = dice.pick(gangs);
        let mut speed = 1000 * i64::from(gang);
        let speeds = CLASSES.map(|class| {
            let here = speed;
            speed = speed * (1000 + dice.range(0, 1000)) / 1000;
            (class, here)
        });
        for twin in 0..u64::try_from(dice.range(1, 6)).expect("few") {
            world = world.job(number * 100 + twin, gang, &speeds);
        }
    }
    world.change(|snapshot| {
        for demand in &mut snapshot.demands {
            let Want::Job(job) = &mut demand.want else { continue };
            // Nobody finishes.
            job.work = i64::MAX / 4;
        }
    })
}

/// A solver's fractions are the best to a millionth per job and round.
const SOLVED: f64 = 100.0 * 1e-6;

fn cases() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "how long to search is not a setting of the market")]
    std::env::var("SOUK_CASES").map_or(10, |count| count.parse().expect("a number of pools"))
}

#[test]
fn the_published_example_is_given_out_in_a_pool() {
    let world = World::new().node(1, "a100-80gb", 1, 100).node(2, "h100-80gb", 1, 100);
    // Two jobs each, so that a tenant can use the device and a quarter that it is due.
    let world = [(101, 2000), (102, 2000), (103, 5000), (104, 5000)]
        .into_iter()
        .fold(world, |world, (number, h100)| world.job(number, 1, &[("a100-80gb", 1000), ("h100-80gb", h100)]));
    let expected = [
        (SharePolicy::OefCooperative, [0.5, 0.125, 0.0, 0.375]),
        // u = 15/7 for both: the first has all of the slow device and 4/7 of the fast one.
        (SharePolicy::OefNoncooperative, [0.5, 2.0 / 7.0, 0.0, 1.5 / 7.0]),
    ];
    for (policy, [first_slow, first_fast, second_slow, second_fast]) in expected {
        let account = play(world.clone(), &under(policy), 112);
        for (number, slow, fast) in [(101, first_slow, first_fast), (103, second_slow, second_fast)] {
            for (class, due) in [("a100-80gb", slow), ("h100-80gb", fast)] {
                let (_, told) = account.get(&(job(number), class.to_owned())).copied().unwrap_or_default();
                assert!((told / 112.0 - due).abs() < 1e-4, "{policy}: {number} on {class}: {told} of 112");
            }
        }
        assert!(off(&account) <= 1.0 + 1e-6, "{policy}: {account:?}");
    }
}

#[test]
fn single_devices_stay_close_to_the_division() {
    let mut worst = 0.0_f64;
    for policy in [SharePolicy::OefCooperative, SharePolicy::OefNoncooperative, SharePolicy::Nash] {
        for seed in 0..cases() {
            worst = worst.max(off(&play(mixed(&mut Dice::new(seed), &[1]), &under(policy), 100)));
        }
    }
    println!("single devices: {worst:.3} rounds off after 100");
    assert!(worst <= 2.0 + SOLVED, "{worst}");
}

#[test]
fn gangs_of_one_size_stay_close_to_the_division() {
    let mut worst = 0.0_f64;
    for policy in [SharePolicy::OefCooperative, SharePolicy::OefNoncooperative, SharePolicy::Nash] {
        for seed in 0..cases() {
            let gang = [2, 4][usize::try_from(seed % 2).expect("small")];
            worst = worst.max(off(&play(mixed(&mut Dice::new(seed), &[gang]), &under(policy), 100)));
        }
    }
    println!("gangs of one size: {worst:.3} rounds off after 100");
    assert!(worst <= 2.0 + SOLVED, "{worst}");
}
