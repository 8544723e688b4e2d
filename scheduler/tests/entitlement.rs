//! The guarantee on real plans: on one class, with gangs of one size that divides the node, nobody falls a quantum behind.

mod worlds;

use proptest::prelude::*;
use scheduler::world::{DemandId, JobFairness, Millis, NodeState, Rules, SharePolicy, Want};
use scheduler::{Why, plan, verify};
use worlds::life::{applied, close, later};
use worlds::{MINUTE, World, at, bid, job, rules};

/// A shared cluster: everything is the jobs', and who leaves leaves at once.
fn shared() -> Rules {
    Rules { share_policy: SharePolicy::MaxMin, phi_ppm: 1_000_000, notice: Millis::ZERO, ..rules() }
}

fn add(world: World, number: u64, gang: i32, weight_milli: i32) -> World {
    world.job(number, gang, &[("a100-80gb", 1000 * i64::from(gang))]).change(|snapshot| {
        let Some(Want::Job(job)) = snapshot.demands.last_mut().map(|demand| &mut demand.want) else { return };
        job.weight_milli = weight_milli;
    })
}

/// The largest lag over all jobs, in milliseconds, after a round was planned and a minute passed.
fn minute(world: &mut World, rules: &Rules) -> Result<i64, TestCaseError> {
    let planned = plan(&world.snapshot, rules, world.snapshot.at, 0);
    prop_assert_eq!(verify(&world.snapshot, rules, &planned), Ok(()));
    *world = applied(world, &planned, rules);
    let next = at(world.snapshot.at.millis() + MINUTE);
    later(world, next);
    let told = plan(&world.snapshot, rules, next, 0);
    let lags = told
        .fairness
        .iter()
        .filter(|standing| world.snapshot.demands.iter().any(|demand| demand.id() == DemandId::Job(standing.job)));
    Ok(lags.map(|standing| standing.lag_millis).max().unwrap_or(0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nobody_falls_a_quantum_behind(
        nodes in 1..4_u64,
        gang in prop::sample::select(vec![1, 2, 4]),
        weights in prop::collection::vec(100..4000_i32, 1..14),
        events in prop::collection::vec((0..6_u8, 0..32_usize, 100..4000_i32), 40),
    ) {
        let rules = shared();
        let mut world = (1..=nodes).fold(World::new(), |world, number| world.node(number, "a100-80gb", 4, 100));
        for (number, weight) in weights.iter().enumerate() {
            world = add(world, 100 + number as u64, gang, *weight);
        }
        for (event, index, weight) in events {
            let ids: Vec<DemandId> = world.snapshot.demands.iter().map(scheduler::world::Demand::id).collect();
            let listed = ids.get(index % ids.len().max(1)).copied();
            match (event, listed) {
                (0, _) => {
                    let number = world.fresh();
                    world = add(world, number, gang, weight);
                }
                (1, Some(listed)) => close(&mut world, listed),
                (2, Some(listed)) => {
                    let demand = world.snapshot.demands.iter_mut().find(|demand| demand.id() == listed);
                    if let Some(Want::Job(job)) = demand.map(|demand| &mut demand.want) {
                        job.weight_milli = weight;
                    }
                }
                _ => {}
            }
            let lag = minute(&mut world, &rules)?;
            prop_assert!(lag < MINUTE, "{lag} ms owed at {:?}", world.snapshot.at);
        }
    }
}

#[test]
fn two_jobs_of_equal_weight_take_turns_on_one_place() {
    let rules = shared();
    let mut world = World::new().node(1, "a100-80gb", 4, 100);
    world = add(add(world, 1, 4, 1000), 2, 4, 1000);
    let mut turns = Vec::new();
    for _ in 0..6 {
        let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
        let entitled: Vec<DemandId> =
            planned.grants.iter().filter(|grant| grant.why == Why::Entitled).map(|grant| grant.demand).collect();
        turns.extend(entitled);
        minute(&mut world, &rules).expect("sound");
    }
    let (first, second) = (job(1), job(2));
    assert_eq!(turns, [first, second, second, first, first, second]);
}

/// Its jobs can pay the entitlement price, and never what a bid offers.
fn poor(world: World) -> World {
    world.change(|snapshot| {
        for demand in &mut snapshot.demands {
            if let Want::Job(job) = &mut demand.want {
                job.budget_left = scheduler::world::Micros::new(100_000_000);
            }
        }
    })
}

#[test]
fn a_share_of_a_third_gets_a_third_of_the_time_beside_a_bid_that_pays_more() {
    let rules = Rules { phi_ppm: 333_333, ..shared() };
    let mut world = add(World::new().node(1, "a100-80gb", 4, 100), 1, 4, 1000).bid(9, &["a100-80gb"], 4, 900);
    world = poor(world);
    let mut entitled = 0;
    for _ in 0..30 {
        let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
        entitled += planned.grants.iter().filter(|grant| grant.demand == job(1)).count();
        minute(&mut world, &rules).expect("sound");
    }
    assert_eq!(entitled, 10);
}

/// A quantum, in the unit of credits.
const QUANTUM: i64 = 1_000_000_000_000;

fn owing(world: World, number: u64, gang: i32, weight_milli: i32, credit: i64) -> World {
    add(world, number, gang, weight_milli).change(|snapshot| {
        let Some(Want::Job(job)) = snapshot.demands.last_mut().map(|demand| &mut demand.want) else { return };
        job.fairness = JobFairness { credit, weight_milli, ..JobFairness::default() };
    })
}

/// Four devices of eight are the jobs'. Jobs 1 and 2 run there by right, and a bid holds the other node. Job 3 comes, whose quantum
/// is due first: with it the jobs have five, since the last gang may exceed their part, and it waits for the bid's notice.
fn promised_beyond_the_begun() -> (World, Rules) {
    let rules = Rules { phi_ppm: 500_000, notice: Millis::new(10_000), ..shared() };
    let world = World::new().node(1, "a100-80gb", 4, 100).node(2, "a100-80gb", 4, 200).bid(9, &["a100-80gb"], 4, 900);
    let mut world = owing(owing(world, 1, 3, 1267, -QUANTUM / 5), 2, 1, 490, 0);
    let begun = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(begun.grants.len(), 3);
    world = applied(&world, &begun, &rules);
    later(&mut world, at(MINUTE));
    let world = owing(world, 3, 1, 1433, 0);
    let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &planned), Ok(()));
    assert_eq!(entitled(&planned), [job(1), job(2)]);
    let waits = planned.awaiting.iter().find(|seat| seat.demand == job(3)).map(|seat| seat.why);
    assert_eq!(waits, Some(Why::Entitled));
    (applied(&world, &planned, &rules), rules)
}

fn entitled(plan: &scheduler::Plan) -> Vec<DemandId> {
    plan.grants.iter().filter(|grant| grant.why == Why::Entitled).map(|grant| grant.demand).collect()
}

#[test]
fn who_was_promised_a_place_keeps_it_when_the_round_is_decided_again_and_until_the_notice_is_over() {
    let (mut world, rules) = promised_beyond_the_begun();
    let again = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!((verify(&world.snapshot, &rules, &again), &again.awaiting), (Ok(()), &world.snapshot.promised));

    // Then it begins, whoever came in the meantime and is due even earlier.
    later(&mut world, at(MINUTE + 10_000));
    world = poor(owing(world, 4, 1, 10, 2 * QUANTUM)).bid(10, &["a100-80gb"], 3, 950);
    let early = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &early), Ok(()));
    assert_eq!(entitled(&early), [job(1), job(2), job(3)]);
    assert!(early.grants.iter().all(|grant| grant.demand != job(4)), "nothing is left for it");

    // What was promised is taken already of what the jobs own.
    close(&mut world, job(2));
    let early = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &early), Ok(()));
    assert_eq!(entitled(&early), [job(1), job(3)]);
}

#[test]
fn a_promised_place_that_is_lost_is_no_claim_to_another() {
    let (mut world, rules) = promised_beyond_the_begun();
    world.snapshot.nodes[1].state = NodeState::Unavailable;
    world.snapshot.holdings.retain(|holding| holding.demand != bid(9));
    close(&mut world, job(1));
    later(&mut world, at(MINUTE + 10_000));
    world = owing(world, 4, 1, 10, 2 * QUANTUM);
    let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &planned), Ok(()));
    assert_eq!(entitled(&planned), [job(2), job(4)]);
}
