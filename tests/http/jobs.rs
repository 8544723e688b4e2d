//! Submitting, following and taking back fair-share jobs.

use serde_json::{Value, json};
use souk::loops;
use souk_tests::scene::Scene;
use souk_tests::{Client, TestMarket};

/// A market with four P100s, and a tenant with a hundred.
async fn market() -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("p100-16gb", 4, "0.40", "0.90").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    (market, scene, ana)
}

fn job() -> Value {
    json!({"name": "night run", "gpu": "P100:2", "work": "2.5", "budget": "10"})
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

async fn wallet(client: &Client) -> (String, String) {
    let wallet = client.get("/v1/wallet").await.expect(200);
    (wallet.text("available"), wallet.text("held"))
}

async fn resnet(client: &Client) -> String {
    let profiles = client.get("/v1/profiles?limit=200").await.expect(200);
    let found =
        profiles.body["items"].as_array().unwrap().iter().find(|profile| profile["name"] == "resnet-50").cloned();
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_job_sets_its_whole_budget_aside_and_waits_for_its_turn() {
    let (_market, _scene, ana) = market().await;
    let submitted = ana.post_once("/v1/jobs", "k", job()).await.expect(201);
    assert_eq!(submitted.body["state"], "queued");
    assert_eq!(
        (submitted.text("work"), submitted.text("done"), submitted.text("progress")),
        ("2.5".into(), "0".into(), "0".into())
    );
    assert_eq!((submitted.text("unit"), submitted.text("weight")), ("gpu_hours".into(), "1".into()));
    assert_eq!((submitted.text("budget"), submitted.text("spent")), ("10.00".into(), "0.00".into()));
    assert_eq!(submitted.body["class_ids"], json!(["p100-16gb"]));
    assert_eq!((&submitted.body["gang"], &submitted.body["rho"]), (&json!(2), &json!(null)));
    assert_eq!(wallet(&ana).await, ("90.00".into(), "10.00".into()));
    let path = format!("/v1/jobs/{}", submitted.text("id"));
    assert_eq!(ana.get(&path).await.expect(200).body, submitted.body);
    assert_eq!(ana.get("/v1/jobs?state=queued").await.expect(200).body["items"][0], submitted.body);
    assert_eq!(ana.get("/v1/jobs?state=running").await.expect(200).body["items"], json!([]));
    assert_eq!(ana.get(&format!("{path}/explanation")).await.expect(404).code(), "not_found");
    let again = ana.post_once("/v1/jobs", "k", job()).await.expect(201);
    assert_eq!((&again.body, again.headers["idempotent-replay"].as_str()), (&submitted.body, "true"));
    assert_eq!(wallet(&ana).await, ("90.00".into(), "10.00".into()));
}

#[tokio::test]
async fn a_profile_says_where_a_job_runs_and_counts_its_work() {
    let (_market, _scene, ana) = market().await;
    let profile = resnet(&ana).await;
    let body = with(with(job(), "profile_id", json!(profile)), "work", json!("90000.5"));
    let submitted = ana.post_once("/v1/jobs", "k", body.clone()).await.expect(201);
    assert_eq!((submitted.text("unit"), submitted.text("work")), ("steps".into(), "90000.5".into()));
    let fine = with(body.clone(), "work", json!("0.0001"));
    assert_eq!(ana.post_once("/v1/jobs", "l", fine).await.expect(422).body["field"], "work");
    let unmeasured = ana.post_once("/v1/jobs", "l", with(body, "gpu", json!("P100:3"))).await.expect(422);
    assert_eq!(unmeasured.code(), "no_such_class");
    assert!(unmeasured.text("detail").contains("resnet-50"), "{}", unmeasured.text("detail"));
}

#[tokio::test]
async fn what_is_no_job_is_refused_with_its_field_and_sets_nothing_aside() {
    let (_market, _scene, ana) = market().await;
    for (field, value, code) in [
        ("name", json!(" "), "invalid_value"),
        ("gpu", json!("P100:0"), "gpu_request_invalid"),
        ("gpu", json!("P100:65"), "gpu_request_invalid"),
        ("gpu", json!("H100"), "no_such_class"),
        ("work", json!("0"), "invalid_value"),
        ("work", json!("-1"), "invalid_value"),
        ("work", json!("1e9"), "invalid_value"),
        ("work", json!("1000000000.1"), "invalid_value"),
        ("budget", json!("0"), "invalid_value"),
        ("budget", json!("-10"), "invalid_value"),
        ("weight", json!("0"), "invalid_value"),
        ("weight", json!("1000.001"), "invalid_value"),
        ("pool_id", json!("pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23"), "invalid_value"),
        ("profile_id", json!("prf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23"), "invalid_value"),
        ("command", json!(""), "invalid_value"),
        ("priority", json!(1), "unknown_field"),
    ] {
        let answer = ana.post_once("/v1/jobs", "k", with(job(), field, value.clone())).await;
        assert_eq!((answer.status, answer.code(), &answer.body["field"]), (422, code, &json!(field)), "{value}");
    }
    let dear = ana.post_once("/v1/jobs", "k", with(job(), "budget", json!("100.000001"))).await.expect(409);
    assert_eq!(dear.code(), "insufficient_funds");
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}

#[tokio::test]
async fn a_job_taken_back_returns_what_is_left_of_its_budget() {
    let (market, _scene, ana) = market().await;
    let bob = market.tenant("bob").await;
    let path = format!("/v1/jobs/{}", ana.post_once("/v1/jobs", "k", job()).await.expect(201).text("id"));
    assert_eq!(bob.get(&path).await.expect(404).code(), "not_found");
    assert_eq!(bob.post_once(&format!("{path}/cancel"), "c", json!({})).await.expect(404).code(), "not_found");
    let cancelled = ana.post_once(&format!("{path}/cancel"), "c", json!({})).await.expect(200);
    assert_eq!((cancelled.text("state"), &cancelled.body["actions"]), ("cancelled".into(), &json!([])));
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
    assert_eq!(ana.post_once(&format!("{path}/cancel"), "d", json!({})).await.expect(409).code(), "wrong_state");
}

#[tokio::test]
async fn a_running_job_is_told_how_fair_its_round_was_and_can_be_taken_back() {
    let (market, _scene, ana) = market().await;
    let path = format!("/v1/jobs/{}", ana.post_once("/v1/jobs", "k", job()).await.expect(201).text("id"));
    loops::round::step(&market.state).await.unwrap();
    let running = ana.get(&path).await.expect(200);
    assert_eq!(running.text("state"), "running");
    assert!(running.body["explanation"]["code"].as_str().unwrap().starts_with("granted_"), "{}", running.body);
    assert!(running.body["lag_seconds"].is_i64() && running.body["rho"].is_string(), "{}", running.body);
    let cancelled = ana.post_once(&format!("{path}/cancel"), "c", json!({})).await.expect(200);
    assert_eq!(
        (cancelled.text("state"), &cancelled.body["rental_id"]),
        ("cancelled".into(), &running.body["rental_id"])
    );
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}

#[tokio::test]
async fn a_gang_that_no_node_has_room_for_has_no_ratio_and_is_told_why_it_waits() {
    let (market, scene, ana) = market().await;
    let large = with(job(), "gpu", json!("P100:8"));
    let path = format!("/v1/jobs/{}", ana.post_once("/v1/jobs", "k", large).await.expect(201).text("id"));
    loops::round::step(&market.state).await.unwrap();
    let waiting = ana.get(&path).await.expect(200);
    assert_eq!((waiting.text("state"), &waiting.body["rho"]), ("queued".into(), &json!(null)));
    assert_eq!(waiting.body["explanation"]["code"], "gang_does_not_fit", "{}", waiting.body);
    let standing = ana.get(&format!("/v1/pools/{}/fairness", scene.pool)).await.expect(200);
    assert_eq!(standing.body["jobs"][0]["rho"], json!(null), "{}", standing.body);
}
