//! The whole market in virtual time: random tenants, providers and faults, every loop, and the auditor after every step.
//!
//! A failure prints its seed: `SOUK_SIM_SEED=… SOUK_SIM_STEPS=…` runs the same market again, or a longer one.

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use souk::State;
use souk::app::audit_rounds::{Range, audit_rounds};
use souk::config::Environment;
use souk::loops::{LoopName, expiry, liveness, metering, provision, reconcile, relay, round};
use souk_tests::{Auditor, Scene, TestMarket};
use time::Duration;

use crate::actors::Actors;

/// Steps of a market in an ordinary run.
const STEPS: usize = 120;

fn setting(name: &str) -> Option<u64> {
    Environment::read(name).and_then(|text| text.parse().ok())
}

/// Runs a loop's step, as the driver would: a lost race is tried again, anything else is a failure.
async fn run(state: &State, name: LoopName) {
    for _ in 0..20 {
        let result = match name {
            LoopName::Round => round::step(state).await,
            LoopName::Provision => provision::step(state).await,
            LoopName::Metering => metering::step(state).await,
            LoopName::Expiry => expiry::step(state).await,
            LoopName::Liveness => liveness::step(state).await,
            LoopName::Reconcile => reconcile::step(state).await,
            LoopName::Relay => relay::step(state).await,
            _ => return,
        };
        match result {
            Ok(souk::loops::Step::Idle) => return,
            Ok(souk::loops::Step::Worked) => {}
            Err(error) => panic!("the loop {} failed: {error:?}", name.as_str()),
        }
    }
}

async fn simulate(seed: u64, steps: usize) {
    println!("SOUK_SIM_SEED={seed} SOUK_SIM_STEPS={steps}");
    let mut random = StdRng::seed_from_u64(seed);
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    // Two of three markets promise finish times.
    let promises = seed % 3 != 1;
    let phi = if promises {
        [700_000, 1_000_000][random.random_range(0..2)]
    } else {
        [0, 300_000][random.random_range(0..2)]
    };
    let cap = if promises { "6000" } else { "NULL" };
    scene
        .settings(&format!(
            "round_seconds = 60, notice_seconds = 30, min_run_seconds = 120, restart_seconds = 10, phi_ppm = {phi}, admission_cap_milli = {cap}"
        ))
        .await;
    let mut actors = Actors::enter(&market, scene, promises, &mut random).await;
    let mut auditor = Auditor::default();
    let mut servers = [market.state.clone(), market.another_server(seed ^ 1).await];
    let mut loops = [
        LoopName::Round,
        LoopName::Provision,
        LoopName::Metering,
        LoopName::Expiry,
        LoopName::Liveness,
        LoopName::Reconcile,
        LoopName::Relay,
    ];
    for step in 0..steps {
        let span = [1_000, 5_000, 15_000, 61_000][random.random_range(0..4)] + random.random_range(0..1000);
        market.clock.advance(Duration::milliseconds(span));
        for _ in 0..random.random_range(0..4) {
            actors.act(&market, &mut random).await;
        }
        // A server that crashes between two steps comes back with nothing but the database.
        if random.random_ratio(1, 25) {
            let victim = random.random_range(0..servers.len());
            servers[victim] = market.another_server(random.random()).await;
        }
        loops.shuffle(&mut random);
        for name in loops {
            if random.random_ratio(4, 5) {
                run(&servers[random.random_range(0..servers.len())], name).await;
            }
        }
        let findings = auditor.findings(&market.state.db, market.state.clock.now()).await;
        assert!(findings.is_empty(), "seed {seed}, step {step}, phi {phi}:\n{}", findings.join("\n"));
    }
    let report = audit_rounds(&market.state.db, Range::default()).await.expect("an audit");
    assert_eq!(report.findings, [], "seed {seed}");
    let counts: (i64, i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM rentals), (SELECT count(*) FROM rentals WHERE reason = 'preempted'),
                (SELECT count(*) FROM jobs WHERE state = 'completed')",
    )
    .fetch_one(&market.state.db)
    .await
    .expect("counts");
    println!(
        "rounds {}, rentals {}, preempted {}, jobs completed {}, notices {}",
        counts.0, counts.1, counts.2, counts.3, auditor.notices
    );
    assert!(counts.0 > 0 && counts.1 > 0, "nothing happened");
    let promised: Vec<(String, i64, i64)> = sqlx::query_as(
        "SELECT state, count(*), sum(refund_micros)::bigint FROM promises GROUP BY state ORDER BY state",
    )
    .fetch_all(&market.state.db)
    .await
    .expect("counts");
    println!("promises {promised:?}");
}

#[tokio::test]
async fn a_random_market_keeps_every_promise_at_every_step() {
    let steps = setting("SOUK_SIM_STEPS").and_then(|steps| usize::try_from(steps).ok()).unwrap_or(STEPS);
    match setting("SOUK_SIM_SEED") {
        Some(seed) => simulate(seed, steps).await,
        None => {
            for seed in 1..=3 {
                simulate(seed, steps).await;
            }
        }
    }
}
