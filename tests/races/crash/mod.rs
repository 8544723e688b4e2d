//! The real server under the load of its demo and of a bidder with receipts, killed with -9 at random moments: it is back in
//! seconds, whatever was acknowledged is there, and nothing is there by half.
//!
//! `SOUK_CRASH_KILLS` says how often (a few times without it), `SOUK_CRASH_SEED` repeats the moments.

mod bidder;
mod stage;

use std::collections::BTreeSet;
use std::time::Duration;

use bidder::Bidder;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::json;
use souk::app::audit_rounds::{Range, audit_rounds};
use souk::config::Environment;
use souk::embedded::{Embedded, Options};
use souk_tests::{Auditor, Client};
use sqlx::PgPool;
use stage::{Stage, Victim};

/// From being started to being ready, at most.
const RESTART_MAX: Duration = Duration::from_secs(20);
/// Reasons of the market and of its tenants. All others would be ours.
const THEIR_REASONS: [&str; 5] = ["tenant", "preempted", "max_duration", "max_spend", "budget"];

fn setting(name: &str) -> Option<u64> {
    Environment::read(name).and_then(|text| text.parse().ok())
}

/// A bidder who never needs to log in again.
async fn customer(stage: &Stage) -> Client {
    let anyone = stage.anyone();
    let person = json!({"email": "ana@example.org", "password": "correct horse battery staple", "display_name": "Ana"});
    let session = anyone.post("/v1/auth/register", person).await.expect(201);
    let scopes = json!({"name": "crash", "scopes": ["read", "bids:write"]});
    let key = anyone.with_token(&session.text("access_token")).post("/v1/api-keys", scopes).await.expect(201);
    anyone.with_token(&key.text("secret"))
}

/// The market has begun: something is rented.
async fn lively(stage: &Stage) {
    let db = stage.database().await;
    for _ in 0..300 {
        let running: i64 = sqlx::query_scalar("SELECT count(*) FROM rentals WHERE state = 'running'")
            .fetch_one(&db)
            .await
            .expect("a count");
        if running >= 10 {
            db.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("nothing was rented within a minute: see {}", stage.folder().display());
}

async fn torture(stage: &mut Stage, kills: u64, seed: u64) -> Bidder {
    println!("SOUK_CRASH_SEED={seed} SOUK_CRASH_KILLS={kills}");
    let mut random = StdRng::seed_from_u64(seed);
    stage.ready().await;
    let client = customer(stage).await;
    lively(stage).await;
    let mut bidder = Bidder::default();
    for kill in 0..kills {
        let victim = if random.random_bool(0.5) { Victim::Server } else { Victim::Everything };
        // Most die at work, some while they are still starting.
        let starting = kill > 0 && random.random_bool(0.2);
        let moment = Duration::from_millis(random.random_range(if starting { 0..2_000 } else { 200..12_000 }));
        if starting {
            tokio::time::sleep(moment).await;
        } else {
            drop(tokio::time::timeout(moment, bidder.trade(&format!("k{kill}"), &client)).await);
        }
        stage.kill(victim);
        stage.restart();
        let restart = stage.ready().await;
        println!("kill {kill}: {victim:?} after {moment:?} (starting: {starting}), ready again in {restart:?}");
        assert!(restart < RESTART_MAX, "ready only after {restart:?}");
        bidder.repeat(&client).await;
        examine(&stage.database().await, &bidder).await;
    }
    // Long enough for the lease of the last victim to expire and for rounds after it.
    drop(tokio::time::timeout(Duration::from_secs(13), bidder.trade("end", &client)).await);
    bidder.repeat(&client).await;
    bidder
}

/// What must be true at any time, while the market goes on.
async fn examine(db: &PgPool, bidder: &Bidder) {
    let rows: Vec<(String, bool)> = sqlx::query_as(
        "SELECT 'bid_' || replace(b.id::text, '-', ''), b.closed_at IS NOT NULL FROM bids b
         JOIN memberships m USING (organisation_id) JOIN users u ON u.id = m.user_id WHERE u.email = 'ana@example.org'",
    )
    .fetch_all(db)
    .await
    .expect("the bids");
    let there: BTreeSet<&String> = rows.iter().map(|(id, _)| id).collect();
    let closed: BTreeSet<&String> = rows.iter().filter(|(_, closed)| *closed).map(|(id, _)| id).collect();
    for (key, receipt) in &bidder.receipts {
        let Some(id) = &receipt.id else { continue };
        assert!(there.contains(id), "{id}, acknowledged under {key}, is not there");
        assert!(!receipt.cancelled || closed.contains(id), "{id}, acknowledged as cancelled, is open");
    }
    let acknowledged = bidder.receipts.values().filter(|receipt| receipt.id.is_some()).count();
    assert_eq!(there.len(), acknowledged, "every key made one bid and no more, once it was asked again");
    let ended: Vec<(String, i64)> = sqlx::query_as(
        "SELECT reason, count(*) FROM rentals WHERE state = 'ended' AND reason <> ALL ($1) GROUP BY reason",
    )
    .bind(THEIR_REASONS.map(str::to_owned).to_vec())
    .fetch_all(db)
    .await
    .expect("the reasons");
    assert_eq!(ended, [], "rentals were closed by us");
    let now: time::OffsetDateTime = sqlx::query_scalar("SELECT now()").fetch_one(db).await.expect("the time");
    let findings = Auditor::default().findings(db, now).await;
    // A bid is made a moment before it is committed: a round in between may be later than it and not have seen it.
    let findings: Vec<_> = findings.into_iter().filter(|found| !found.starts_with("every demand that")).collect();
    assert_eq!(findings, Vec::<String>::new());
    db.close().await;
}

#[test]
fn a_server_killed_at_random_moments_loses_nothing_and_halves_nothing() {
    let (kills, seed) = (setting("SOUK_CRASH_KILLS").unwrap_or(3), setting("SOUK_CRASH_SEED").unwrap_or(1));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let mut stage = Stage::open();
    let bidder = runtime.block_on(torture(&mut stage, kills, seed));
    stage.stop();
    // On this thread: the kernel ends the database with the thread that started it.
    let embedded = Embedded::start(&Options::new(stage.cluster())).expect("the cluster starts without its server");
    runtime.block_on(async {
        let db = souk::store::connect(embedded.url(), 2).await.expect("the database answers");
        let report = audit_rounds(&db, Range::default()).await.expect("an audit");
        assert_eq!(report.findings, []);
        let count = async |table: &str| -> i64 {
            sqlx::query_scalar(&format!("SELECT count(*) FROM {table}")).fetch_one(&db).await.expect("a count")
        };
        let (rounds, rentals, bids) = (count("rounds").await, count("rentals").await, bidder.receipts.len());
        println!("{bids} bids by the bidder, {rounds} rounds, {rentals} rentals");
        assert!(rounds > 0 && rentals > 0, "nothing happened");
        examine(&db, &bidder).await;
    });
    drop(runtime);
    embedded.stop().expect("stopped");
    stage.remove();
}
