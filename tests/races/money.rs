//! Many at once on one wallet: never overdrawn, never twice, never both.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use souk::app::invariants::check;
use souk::loops;
use souk_tests::scene::Scene;
use souk_tests::{Client, TestMarket};
use time::OffsetDateTime;

/// A market with sixteen H100s, and a tenant with money.
async fn market(credit: &str) -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.settings("min_run_seconds = 0").await;
    scene.node("h100-80gb", 16, "1.00", "3.00").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, credit).await;
    (market, scene, ana)
}

fn bid(limit: &str) -> Value {
    json!({"gpu": "H100", "limit_per_gpu_hour": limit})
}

async fn assert_sound(market: &TestMarket) {
    let mut tx = market.state.begin_snapshot().await.unwrap();
    let findings = check(&mut tx, OffsetDateTime::UNIX_EPOCH).await.unwrap();
    let broken: Vec<_> = findings.iter().filter(|finding| !finding.holds()).map(|finding| finding.detail()).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_bids_at_once_on_one_wallet_never_overdraw_it() {
    let (market, _scene, ana) = market("150").await;
    let replica = market.replica().await;
    let second = replica.anyone.with_token(ana.token().unwrap());
    let placing = (0..200).map(|number| {
        let client = if number % 2 == 0 { ana.clone() } else { second.clone() };
        async move { client.post_once("/v1/bids", &format!("k{number}"), bid("2.00")).await }
    });
    let answers = join_all(placing).await;
    let placed = answers.iter().filter(|answer| answer.status == 201).count();
    let refused = answers.iter().filter(|answer| answer.status == 409 && answer.code() == "insufficient_funds").count();
    assert_eq!((placed, refused), (75, 125), "{:?}", answers.iter().find(|one| ![201, 409].contains(&one.status)));
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("0.00".into(), "150.00".into()));
    assert_sound(&market).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_sent_fifty_times_at_once_places_one_bid_and_every_call_gets_its_reply() {
    let (market, _scene, ana) = market("150").await;
    let replica = market.replica().await;
    let second = replica.anyone.with_token(ana.token().unwrap());
    let placing = (0..50).map(|number| {
        let client = if number % 2 == 0 { ana.clone() } else { second.clone() };
        async move { client.post_once("/v1/bids", "the-key", bid("2.00")).await.expect(201) }
    });
    let answers = join_all(placing).await;
    let ids: BTreeSet<_> = answers.iter().map(|answer| answer.text("id")).collect();
    assert_eq!(ids.len(), 1);
    let fresh = answers.iter().filter(|answer| !answer.headers.contains_key("idempotent-replay")).count();
    assert_eq!(fresh, 1);
    assert_eq!(ana.get("/v1/wallet").await.expect(200).text("held"), "2.00");
    assert_sound(&market).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_for_bids_jobs_and_credits_at_once_does_one_of_them() {
    let (market, _scene, ana) = market("150").await;
    let job = json!({"name": "j", "gpu": "H100", "work": "1", "budget": "3"});
    let (bids, jobs) = tokio::join!(
        join_all((0..10).map(|_| ana.post_once("/v1/bids", "k", bid("2.00")))),
        join_all((0..10).map(|_| ana.post_once("/v1/jobs", "k", job.clone()))),
    );
    let placed = bids.iter().filter(|answer| answer.status == 201).count();
    let submitted = jobs.iter().filter(|answer| answer.status == 201).count();
    assert!(placed == 10 && submitted == 0 || placed == 0 && submitted == 10, "{placed} bids, {submitted} jobs");
    for answer in bids.iter().chain(&jobs).filter(|answer| answer.status != 201) {
        assert_eq!((answer.status, answer.code()), (409, "idempotency_key_reused"), "{}", answer.body);
    }
    assert_sound(&market).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_moves_money_happens_once_per_key_however_often_and_at_once_it_is_sent() {
    let (market, _scene, ana) = market("50").await;
    let operator = market.login("operator").await;
    let me = ana.get("/v1/me").await.expect(200).body["organisation"]["id"].clone();
    let credit = json!({"organisation_id": me, "amount": "7.00", "reason": "fifty confirmations of one payment"});
    // The job takes the whole wallet, so that every later call finds it empty.
    let job = json!({"name": "j", "gpu": "H100", "work": "1", "budget": "57"});
    let placed = ana.post_once("/v1/bids", "b", bid("2.00")).await.expect(201).text("id");
    let cancel = format!("/v1/bids/{placed}/cancel");
    for (client, path, body, status) in
        [(&operator, "/v1/credits", credit, 201), (&ana, cancel.as_str(), json!({}), 200), (&ana, "/v1/jobs", job, 201)]
    {
        let answers = join_all((0..50).map(|_| client.post_once(path, path, body.clone()))).await;
        let bodies: BTreeSet<_> = answers.iter().map(|answer| (answer.status, answer.body.to_string())).collect();
        assert_eq!(bodies.len(), 1, "{path}: {bodies:?}");
        assert_eq!(answers[0].status, status, "{path}");
    }
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("0.00".into(), "57.00".into()));
    assert_sound(&market).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bid_is_taken_back_or_allocated_but_money_and_devices_agree_in_the_end() {
    let (market, _scene, ana) = market("1000").await;
    let mut outcomes = BTreeSet::new();
    for turn in 0..12 {
        let mut paths = Vec::new();
        for number in 0..8 {
            let key = format!("{turn}-{number}");
            let placed = ana.post_once("/v1/bids", &key, bid("2.00")).await.expect(201);
            paths.push(format!("/v1/bids/{}", placed.text("id")));
        }
        market.clock.advance(time::Duration::seconds(if turn % 2 == 0 { 61 } else { 6 }));
        let market = &market;
        let cancelling = paths.iter().enumerate().map(|(number, path)| {
            let ana = ana.clone();
            async move { ana.post_once(&format!("{path}/cancel"), &format!("c{turn}-{number}"), json!({})).await }
        });
        let (round, answers) = tokio::join!(loops::round::step(&market.state), join_all(cancelling));
        round.unwrap();
        for answer in &answers {
            assert_eq!(answer.status, 200, "{}", answer.body);
            assert_eq!(answer.body["state"], "cancelled");
            outcomes.insert(answer.body["rental_id"].is_string());
        }
        assert_sound(market).await;
    }
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("1000.00".into(), "0.00".into()));
    let leased: i64 = sqlx::query_scalar("SELECT count(*) FROM leases WHERE upper_inf(during)")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    assert_eq!(leased, 0);
    println!("taken back before and after its allocation: {outcomes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metering_cancelling_and_placing_at_once_keep_the_books_straight() {
    let (market, _scene, ana) = market("1000").await;
    for number in 0..16 {
        drop(ana.post_once("/v1/bids", &format!("k{number}"), bid("2.00")).await.expect(201));
    }
    loops::round::step(&market.state).await.unwrap();
    sqlx::query("UPDATE rentals SET state = 'running', usable_at = state_at, metered_to = state_at WHERE state = 'provisioning'")
        .execute(&market.state.db)
        .await
        .unwrap();
    let bids: Vec<String> =
        sqlx::query_scalar("SELECT 'bid_' || replace(id::text, '-', '') FROM bids WHERE state = 'allocated'")
            .fetch_all(&market.state.db)
            .await
            .unwrap();
    assert_eq!(bids.len(), 16);
    let replica = market.replica().await;
    for (turn, bid_id) in bids.iter().enumerate() {
        market.clock.advance(time::Duration::seconds(36));
        let path = format!("/v1/bids/{bid_id}/cancel");
        let (cancel_key, place_key) = (format!("c{turn}"), format!("p{turn}"));
        let (first, second, cancelled, placed) = tokio::join!(
            loops::metering::step(&market.state),
            loops::metering::step(&replica.state),
            ana.post_once(&path, &cancel_key, json!({})),
            ana.post_once("/v1/bids", &place_key, bid("1.50")),
        );
        // A loop that loses a race is run again by its driver.
        for step in [first, second] {
            if let Err(error) = step {
                assert!(matches!(&error, loops::LoopError::Store(store) if store.is_conflict()), "{error}");
            }
        }
        assert_eq!((cancelled.status, placed.status), (200, 201), "{} {}", cancelled.body, placed.body);
        assert_sound(&market).await;
    }
}
