//! Promises under contention: the cap holds whoever comes at once, and a missed promise is refunded once.

use futures_util::future::join_all;
use serde_json::json;
use souk::app::settle_promises::settle_promises;
use souk::loops::{metering, provision, round};
use souk::store::Tx;
use souk_tests::{Client, Scene, TestMarket};
use time::Duration;

async fn market() -> (TestMarket, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene
        .settings("round_seconds = 60, notice_seconds = 0, min_run_seconds = 0, restart_seconds = 0, phi_ppm = 1000000, admission_cap_milli = 4000")
        .await;
    scene.node("p100-16gb", 4, "0.40", "0.90").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "1000").await;
    (market, ana)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_jobs_at_once_only_those_within_the_cap_are_let_in() {
    let (market, ana) = market().await;
    let replica = market.replica().await;
    let second = replica.anyone.with_token(ana.token().unwrap());
    let body = json!({"name": "x", "gpu": "P100:1", "work": "1", "budget": "10", "weight": "0.8"});
    let submitting = (0..20).map(|number| {
        let client = if number % 2 == 0 { ana.clone() } else { second.clone() };
        let body = body.clone();
        async move { client.post_once("/v1/jobs", &format!("k{number}"), body).await }
    });
    let answers = join_all(submitting).await;
    let let_in =
        answers.iter().filter(|answer| answer.status == 201 && answer.body["promise"]["state"] == "open").count();
    let refused = answers.iter().filter(|answer| answer.status == 409 && answer.code() == "pool_full").count();
    assert_eq!((let_in, refused), (5, 15), "{:?}", answers.iter().find(|one| ![201, 409].contains(&one.status)));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_settle_a_missed_promise_once() {
    let (market, ana) = market().await;
    for number in 0..4 {
        let body = json!({"name": "x", "gpu": "P100:1", "work": "1", "budget": "10"});
        drop(ana.post_once("/v1/jobs", &format!("k{number}"), body).await.expect(201));
    }
    for _ in 0..10 {
        round::step(&market.state).await.expect("a round");
        while provision::step(&market.state).await.expect("provisioned") == souk::loops::Step::Worked {}
        metering::step(&market.state).await.expect("metered");
        market.clock.advance(Duration::seconds(60));
    }
    // The jobs stand still from here on: their node takes nothing new, and their rentals are gone.
    sqlx::query("UPDATE nodes SET state = 'lost'").execute(&market.state.db).await.unwrap();
    market.clock.advance(Duration::hours(3));
    let others = [market.another_server(7).await, market.another_server(8).await, market.another_server(9).await];
    let now = market.state.clock.now();
    let settling = others.iter().map(|state| async move {
        let mut tx = Tx::begin(&state.db).await.unwrap();
        let settled = settle_promises(&mut tx, &*state.entropy, now).await;
        if settled.is_ok() {
            tx.commit().await.unwrap();
        }
        settled
    });
    let settled: usize = join_all(settling).await.into_iter().filter_map(Result::ok).sum();
    assert!(settled >= 4, "{settled}");
    let (missed, refunds, per_job): (i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM promises WHERE state <> 'open'), (SELECT count(*) FROM transfers WHERE kind = 'refund'),
                (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM transfers WHERE kind = 'refund' GROUP BY subject) AS counts)",
    )
    .fetch_one(&market.state.db)
    .await
    .unwrap();
    assert_eq!((missed, per_job), (4, i64::from(refunds > 0)), "{refunds} refunds");
    let mut auditor = souk_tests::Auditor::default();
    let findings = auditor.findings(&market.state.db, now).await;
    let money: Vec<_> =
        findings.iter().filter(|finding| finding.contains("refund") || finding.contains("balance")).collect();
    assert!(money.is_empty(), "{money:?}");
}
