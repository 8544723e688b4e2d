//! How long a round takes, on worlds of the size that a pool has. The bounds are far above what an idle machine needs, so
//! that only a change of order is caught; `--no-capture` shows the figures.

#![allow(clippy::print_stdout, reason = "figures are what the suite is for")]

mod worlds;

use scheduler::world::{DemandId, PricePerHour, Rules};
use scheduler::{Plan, plan, verify};
use std::time::{Duration, Instant};
use worlds::life::{applied, later};
use worlds::random::{Dice, random_demand};
use worlds::{World, at, rules};

/// Nodes of eight devices of two classes, and demands for twice as many devices.
fn pool(nodes: u64, demands: u64) -> World {
    let mut dice = Dice::new(7);
    let mut world = World::new();
    for number in 1..=nodes {
        let name = dice.pick(&["a100-80gb", "a100-80gb", "h100-80gb", "l4-24gb"]);
        world = world.node(number, name, 8, dice.range(8, 14) * 10);
    }
    for number in 1..=demands {
        world = random_demand(world, &mut dice, number);
    }
    world
}

#[expect(clippy::disallowed_methods, reason = "a test that measures time has to read it")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    let took = start.elapsed();
    println!("{what}: {:.1} ms", took.as_secs_f64() * 1e3);
    (result, took)
}

/// Plans and verifies two rounds: the first from an empty pool; the second from a full one a round later, when a tenth of
/// the demands is new and a tenth of the asks is dearer.
fn two_rounds(world: World, rules: &Rules) -> Duration {
    let (first, _) = timed("  plan, empty pool", || plan(&world.snapshot, rules, world.snapshot.at, 0));
    let (checked, _) = timed("  verify", || verify(&world.snapshot, rules, &first));
    assert_eq!(checked, Ok(()));
    let mut world = applied(&world, &first, rules);
    later(&mut world, at(worlds::MINUTE));
    let many = u64::try_from(world.snapshot.demands.len()).expect("few") / 10;
    world = (0..many).fold(world, |world, number| random_demand(world, &mut Dice::new(number), 900_000 + number));
    for node in world.snapshot.nodes.iter_mut().step_by(10) {
        node.asks[0].floor = worlds::cents(130);
    }
    let (second, planned) = timed("  plan, full pool", || plan(&world.snapshot, rules, world.snapshot.at, 0));
    let (checked, verified) = timed("  verify", || verify(&world.snapshot, rules, &second));
    assert_eq!(checked, Ok(()));
    println!("  {} grants, {} evictions, price {:?}", second.grants.len(), second.evictions.len(), price(&second));
    planned + verified
}

fn price(plan: &Plan) -> Option<PricePerHour> {
    plan.prices.first().and_then(|row| row.price)
}

#[test]
fn a_campus_of_a_thousand_devices_is_planned_and_verified_at_once() {
    println!("150 nodes, 1200 devices, 2000 demands");
    let took = two_rounds(pool(150, 2000), &rules());
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn ten_thousand_devices_are_planned_and_verified_within_a_round() {
    println!("1250 nodes, 10000 devices, 5000 demands");
    let took = two_rounds(pool(1250, 5000), &rules());
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn on_demand_claims_do_not_slow_a_round_down() {
    let mut world = pool(100, 1000);
    world.snapshot.demands.retain(|demand| matches!(demand.id(), DemandId::OnDemand(_)));
    println!("100 nodes, {} on-demand claims", world.snapshot.demands.len());
    let took = two_rounds(world, &rules());
    assert!(took < Duration::from_secs(5), "{took:?}");
}
