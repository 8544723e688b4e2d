//! Promised finish times: quoted, shown, kept, and refunded when they are missed.

use serde_json::{Value, json};
use souk::State;
use souk::app::invariants::check;
use souk::app::lose_node::lose_node;
use souk::loops::{expiry, metering, provision, round};
use souk::store::Tx;
use souk::store::liveness::Silent;
use souk_tests::{Client, Scene, TestMarket};
use sqlx::Row as _;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

/// A pool that is the jobs' alone and takes a weight of four, on four P100s of two nodes; a tenant with a hundred.
async fn market() -> (TestMarket, Scene, Client, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene
        .settings("round_seconds = 60, notice_seconds = 0, min_run_seconds = 0, restart_seconds = 0, phi_ppm = 1000000")
        .await;
    scene.node("p100-16gb", 2, "0.40", "0.90").await;
    scene.node("p100-16gb", 2, "0.40", "0.90").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    let pool = format!("/v1/pools/{}", scene.pool);
    assert_eq!(operator.get(&pool).await.expect(200).body["admission_cap"], json!(null));
    let capped = operator.patch(&pool, json!({"admission_cap": "4"})).await.expect(200);
    assert_eq!(capped.text("admission_cap"), "4");
    let ana = market.lasting(&ana, &["read", "jobs:write", "wallet:read"]).await;
    (market, scene, operator, ana)
}

/// An hour of one device.
fn job() -> Value {
    json!({"name": "night run", "gpu": "P100:1", "work": "1", "budget": "10"})
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

fn instant(value: &Value) -> OffsetDateTime {
    OffsetDateTime::parse(value.as_str().unwrap_or_default(), &Rfc3339).expect("an instant")
}

/// Lets so many minutes pass, with every loop once a minute.
async fn minutes(market: &TestMarket, minutes: usize) {
    for _ in 0..minutes {
        step(&market.state).await;
        market.clock.advance(Duration::seconds(60));
    }
    step(&market.state).await;
}

async fn step(state: &State) {
    round::step(state).await.expect("a round");
    while provision::step(state).await.expect("provisioned") == souk::loops::Step::Worked {}
    metering::step(state).await.expect("metered");
    expiry::step(state).await.expect("settled");
}

async fn assert_sound(market: &TestMarket) {
    let mut tx = market.state.begin_snapshot().await.unwrap();
    let findings = check(&mut tx, OffsetDateTime::UNIX_EPOCH).await.unwrap();
    assert_eq!(findings.len(), 9);
    let broken: Vec<_> = findings.iter().filter(|finding| !finding.holds()).map(|finding| finding.detail()).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// Every node falls silent.
async fn lose_all(market: &TestMarket) {
    let nodes: Vec<Silent> = sqlx::query_as(
        "SELECT n.id, n.name, n.pool_id, n.provider_id, p.organisation_id, n.heartbeat_at, n.version
         FROM nodes n JOIN providers p ON p.id = n.provider_id WHERE n.state = 'ready'",
    )
    .fetch_all(&market.state.db)
    .await
    .expect("nodes");
    for node in nodes {
        let mut tx = Tx::begin(&market.state.db).await.expect("a transaction");
        lose_node(&mut tx, &*market.state.entropy, &node, market.state.clock.now()).await.expect("lost");
        tx.commit().await.expect("committed");
    }
}

#[tokio::test]
async fn a_job_is_quoted_a_finish_time_and_keeps_it() {
    let (market, _scene, _operator, ana) = market().await;
    let quote = ana.post("/v1/jobs/dry-run", job()).await.expect(200);
    assert_eq!((&quote.body["admitted"], quote.text("hold")), (&json!(true), "10.00".into()), "{}", quote.body);
    let submitted = ana.post_once("/v1/jobs", "k", job()).await.expect(201);
    let promise = &submitted.body["promise"];
    assert_eq!(
        (&promise["finish_by"], &promise["state"]),
        (&quote.body["finish_by"], &json!("open")),
        "{}",
        submitted.body
    );
    // A quarter of four devices is one: an hour, and what rounds may be late.
    let finish_by = instant(&promise["finish_by"]) - market.state.clock.now();
    assert!((Duration::minutes(60)..Duration::minutes(70)).contains(&finish_by), "{finish_by}");
    let path = format!("/v1/jobs/{}", submitted.text("id"));
    assert_eq!(ana.get(&path).await.expect(200).body, submitted.body);
    minutes(&market, 75).await;
    let done = ana.get(&path).await.expect(200);
    assert_eq!(
        (done.text("state"), &done.body["promise"]["state"]),
        ("completed".into(), &json!("kept")),
        "{}",
        done.body
    );
    assert_eq!(done.body["promise"]["refund"], "0.00");
    assert_sound(&market).await;
}

#[tokio::test]
async fn beyond_the_cap_nobody_is_let_in_until_a_job_ends() {
    let (_market, _scene, _operator, ana) = market().await;
    let heavy = ana.post_once("/v1/jobs", "k", with(job(), "weight", json!("3.5"))).await.expect(201);
    let quote = ana.post("/v1/jobs/dry-run", job()).await.expect(200);
    assert_eq!((&quote.body["admitted"], &quote.body["finish_by"]), (&json!(false), &json!(null)));
    assert!(
        quote.text("sentence").starts_with("The pool keeps its jobs' weights within 4"),
        "{}",
        quote.text("sentence")
    );
    let refused = ana.post_once("/v1/jobs", "l", job()).await.expect(409);
    assert_eq!((refused.code(), &refused.body["field"]), ("pool_full", &json!("weight")));
    let light = ana.post_once("/v1/jobs", "l", with(job(), "weight", json!("0.5"))).await.expect(201);
    assert_eq!(light.body["promise"]["state"], "open");
    drop(ana.post_once(&format!("/v1/jobs/{}/cancel", heavy.text("id")), "c", json!({})).await.expect(200));
    assert_eq!(ana.post_once("/v1/jobs", "m", job()).await.expect(201).body["promise"]["state"], "open");
}

#[tokio::test]
async fn a_raised_cap_makes_no_room_at_the_cost_of_those_who_have_a_promise() {
    let (_market, scene, operator, ana) = market().await;
    drop(ana.post_once("/v1/jobs", "k", with(job(), "weight", json!("4"))).await.expect(201));
    drop(operator.patch(&format!("/v1/pools/{}", scene.pool), json!({"admission_cap": "100"})).await.expect(200));
    assert_eq!(ana.post_once("/v1/jobs", "l", job()).await.expect(409).code(), "pool_full");
}

#[tokio::test]
async fn who_would_break_a_promise_is_not_let_in_and_who_gets_none_is_told_why() {
    let (_market, scene, operator, ana) = market().await;
    let why = async |body: Value| ana.post("/v1/jobs/dry-run", body).await.expect(200).text("sentence");
    let poor = why(with(job(), "budget", json!("0.10"))).await;
    assert!(poor.starts_with("The budget may not last"), "{poor}");
    let large = why(with(job(), "gpu", json!("P100:4"))).await;
    assert!(large.starts_with("No node that is for sale"), "{large}");
    scene.node("v100-32gb", 2, "0.40", "0.90").await;
    let both = why(with(job(), "gpu", json!("P100,V100:1"))).await;
    assert!(both.contains("one device class, and this one names 2"), "{both}");
    drop(ana.post_once("/v1/jobs", "k", job()).await.expect(201));
    for body in [with(job(), "gpu", json!("P100:2")), with(job(), "gpu", json!("P100,V100:1"))] {
        let refused = ana.post_once("/v1/jobs", "l", body).await.expect(409);
        assert_eq!((refused.code(), &refused.body["field"]), ("would_break_promises", &json!("gpu")));
    }
    let pool = format!("/v1/pools/{}", scene.pool);
    for bad in [json!("0"), json!("-1"), json!("1.0001"), json!("many")] {
        let refused = operator.patch(&pool, json!({"admission_cap": bad})).await.expect(422);
        assert_eq!(refused.body["field"], "admission_cap");
    }
    let changed = operator.patch(&pool, json!({"fee_bps": 100})).await.expect(200);
    assert_eq!(changed.text("admission_cap"), "4", "what is absent stays");
    drop(operator.patch(&pool, json!({"admission_cap": null})).await.expect(200));
    assert!(why(job()).await.starts_with("This pool makes no promises"));
    assert_eq!(ana.post_once("/v1/jobs", "m", job()).await.expect(201).body["promise"], json!(null));
}

#[tokio::test]
async fn nothing_is_let_at_the_posted_price_that_a_promise_rests_on() {
    let (market, scene, _operator, ana) = market().await;
    let ask: uuid::Uuid = sqlx::query_scalar("SELECT id FROM asks LIMIT 1").fetch_one(&market.state.db).await.unwrap();
    let body = json!({"ask_id": format!("ask_{}", ask.simple()), "devices": 1});
    let ben = market.tenant("ben").await;
    market.fund(&market.login("operator").await, &ben, "100").await;
    assert_eq!(ben.post_once("/v1/rentals", "r", body.clone()).await.expect(409).code(), "reserved_for_fair_share");
    scene.settings("phi_ppm = 750000").await;
    drop(ben.post_once("/v1/rentals", "s", body.clone()).await.expect(201));
    assert_eq!(ben.post_once("/v1/rentals", "t", body).await.expect(409).code(), "reserved_for_fair_share");
    drop(ana);
}

#[tokio::test]
async fn a_missed_promise_is_refunded_by_itself_with_the_evidence() {
    let (market, scene, _operator, ana) = market().await;
    let submitted = ana.post_once("/v1/jobs", "k", with(job(), "command", json!("train"))).await.expect(201);
    let path = format!("/v1/jobs/{}", submitted.text("id"));
    minutes(&market, 30).await;
    lose_all(&market).await;
    minutes(&market, 50).await;
    let missed = ana.get(&path).await.expect(200);
    let promise = &missed.body["promise"];
    assert_eq!((&promise["state"], missed.text("state")), (&json!("missed"), "preempted".into()), "{}", missed.body);
    let evidence = &promise["evidence"];
    assert_eq!(evidence["faults"][0]["reason"], "node_lost");
    assert_eq!((&evidence["first_round"], evidence["last_round"].is_i64()), (&json!(1), true));
    // Half an hour of one device at 0.40 was paid, and about half of the work is undone.
    let micros = |text: &Value| text.as_str().unwrap().replace('.', "").parse::<i64>().unwrap();
    let row = sqlx::query("SELECT refund_micros, (evidence->>'paid')::bigint AS paid, (evidence->>'done')::bigint AS done, (evidence->>'work')::bigint AS work FROM promises")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    let (refund, paid, done, work): (i64, i64, i64, i64) = (row.get(0), row.get(1), row.get(2), row.get(3));
    assert!((150_000..=200_000).contains(&paid) && refund == paid * (work - done) / work, "{refund} of {paid}");
    assert!(micros(&promise["refund"]) > 0);
    let entries = ana.get("/v1/wallet/entries").await.expect(200);
    let refunded =
        entries.body["items"].as_array().unwrap().iter().find(|entry| entry["kind"] == "refund").cloned().unwrap();
    assert_eq!((&refunded["amount"], &refunded["subject"]), (&promise["refund"], &submitted.body["id"]), "{refunded}");
    assert!(
        refunded["reason"].as_str().unwrap().starts_with("promised to be finished by 2030-01-01T01:"),
        "{refunded}"
    );
    // The provider whose nodes died gives back what it earned from the job, as far as that goes.
    let given: i64 = sqlx::query_scalar(
        "SELECT -sum(e.amount_micros)::bigint FROM entries e JOIN transfers t ON t.id = e.transfer_id JOIN accounts a ON a.id = e.account_id
         WHERE t.kind = 'refund' AND a.provider_id = $1",
    )
    .bind(scene.provider.uuid())
    .fetch_one(&market.state.db)
    .await
    .unwrap();
    assert_eq!(given, refund);
    let told: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE kind IN ('job.promise_missed', 'provider.gave_back')")
            .fetch_one(&market.state.db)
            .await
            .unwrap();
    assert_eq!(told, 2);
    assert_sound(&market).await;
}

/// As when the server was away: the time has passed before the next round.
#[tokio::test]
async fn a_job_that_never_ran_has_done_nothing_by_the_promised_time() {
    let (market, _scene, _operator, ana) = market().await;
    let submitted = ana.post_once("/v1/jobs", "k", job()).await.expect(201);
    market.clock.advance(Duration::hours(3));
    expiry::step(&market.state).await.expect("settled");
    let told = ana.get(&format!("/v1/jobs/{}", submitted.text("id"))).await.expect(200);
    let promise = &told.body["promise"];
    assert_eq!((&promise["state"], &promise["evidence"]["done"]), (&json!("missed"), &json!("0")), "{}", told.body);
    assert_sound(&market).await;
}

#[tokio::test]
async fn a_job_that_its_tenant_ends_has_no_promise_left() {
    let (market, _scene, _operator, ana) = market().await;
    let path = format!("/v1/jobs/{}", ana.post_once("/v1/jobs", "k", job()).await.expect(201).text("id"));
    minutes(&market, 5).await;
    drop(ana.post_once(&format!("{path}/cancel"), "c", json!({})).await.expect(200));
    minutes(&market, 90).await;
    let job = ana.get(&path).await.expect(200);
    assert_eq!((&job.body["promise"]["state"], &job.body["promise"]["refund"]), (&json!("void"), &json!("0.00")));
}
