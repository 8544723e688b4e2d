//! Rounds as everybody can read them.

use scheduler::world::ids::OrganisationId;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use souk::loops::round;
use souk_tests::{Client, Scene, TestMarket};
use time::Duration;

async fn cleared(rounds: usize) -> (TestMarket, Scene) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    let ana = scene.organisation("100").await;
    for _ in 0..rounds {
        scene.bid(ana, "h100-80gb", 1, "3.00").await;
        round::step(&market.state).await.expect("a step");
        market.clock.advance(Duration::seconds(60));
    }
    (market, scene)
}

#[tokio::test]
async fn rounds_are_listed_newest_first_and_page_by_page() {
    let (market, scene) = cleared(5).await;
    let path = format!("/v1/pools/{}/rounds", scene.pool);
    let first = market.anyone.get(&format!("{path}?limit=2")).await.expect(200);
    let numbers = |body: &serde_json::Value| -> Vec<i64> {
        body["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|round| round["number"].as_i64().expect("a number"))
            .collect()
    };
    assert_eq!(numbers(&first.body), [5, 4]);
    let rest = market.anyone.get(&format!("{path}?limit=3&cursor={}", first.text("next_cursor"))).await.expect(200);
    assert_eq!(numbers(&rest.body), [3, 2, 1]);
    assert_eq!(rest.body["next_cursor"], json!(null));
    assert_eq!(market.anyone.get(&format!("{path}?cursor=x")).await.code(), "invalid_value");
    let nowhere = format!("/v1/pools/{}/rounds", scene.pool.to_string().replace("pool_", "node_"));
    assert_eq!(market.anyone.get(&nowhere).await.status, 404);
}

#[tokio::test]
async fn a_record_hashes_to_what_its_answer_says_and_names_nobody() {
    let (market, scene) = cleared(2).await;
    let url = format!("{}/v1/pools/{}/rounds/2/record", market.anyone.base(), scene.pool);
    let response = reqwest::get(&url).await.expect("an answer");
    let digest = response.headers()["repr-digest"].to_str().expect("text").to_owned();
    let body = response.bytes().await.expect("a body");
    use base64::Engine as _;
    let expected = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&body));
    assert_eq!(digest, format!("sha-256=:{expected}:"));
    let text = String::from_utf8(body.to_vec()).expect("JSON");
    scheduler::replay(&text).expect("it replays");
    let bids: Vec<uuid::Uuid> =
        sqlx::query_scalar("SELECT id FROM bids").fetch_all(&market.state.db).await.expect("ids");
    assert!(bids.iter().all(|bid| !text.contains(&bid.simple().to_string())));
    let missing = format!("/v1/pools/{}/rounds/3/record", scene.pool);
    assert_eq!(market.anyone.get(&missing).await.status, 404);
}

#[tokio::test]
async fn an_operator_clears_a_pool_without_waiting_for_the_timer() {
    let (market, scene) = cleared(1).await;
    market.clock.advance(Duration::seconds(-59));
    let operator = market.operator().await;
    let path = format!("/v1/pools/{}/rounds", scene.pool);
    assert_eq!(market.anyone.post(&path, json!({})).await.status, 401);
    let tenant = market.tenant("ana").await;
    assert_eq!(tenant.post(&path, json!({})).await.status, 403);
    drop(operator.post(&path, json!({})).await.expect(202));
    round::step(&market.state).await.expect("a step");
    let newest = &market.anyone.get(&path).await.expect(200).body["items"][0];
    assert_eq!((newest["number"].clone(), newest["cause"].clone()), (json!(2), json!("operator")));
    // It was answered: another step does not clear again.
    round::step(&market.state).await.expect("a step");
    assert_eq!(market.anyone.get(&path).await.expect(200).body["items"][0]["number"], json!(2));
}

async fn organisation(tenant: &Client) -> OrganisationId {
    tenant.get("/v1/me").await.expect(200).body["organisation"]["id"].as_str().expect("an id").parse().expect("an id")
}

#[tokio::test]
async fn a_round_shows_strangers_ranks_and_everybody_their_own() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    let (operator, ana, ben) = (market.operator().await, market.tenant("ana").await, market.tenant("ben").await);
    market.fund(&operator, &ana, "100").await;
    market.fund(&operator, &ben, "100").await;
    let first = scene.bid(organisation(&ana).await, "h100-80gb", 1, "3.00").await.to_string();
    let second = scene.bid(organisation(&ben).await, "h100-80gb", 1, "2.00").await.to_string();
    round::step(&market.state).await.expect("a step");

    let path = format!("/v1/pools/{}/rounds/1", scene.pool);
    let stranger = market.anyone.get(&path).await.expect(200).body;
    let text = stranger.to_string();
    assert!(!text.contains(&first) && !text.contains(&second), "{text}");
    assert_eq!(stranger["grants"].as_array().expect("grants").len(), 1);
    assert_eq!(stranger["own"], json!([]));

    let seen = ana.get(&path).await.expect(200).body;
    assert_eq!(seen["grants"][0]["demand"], json!(first));
    assert!(!seen.to_string().contains(&second));
    assert_eq!(seen["own"][0]["id"], json!(first));
    let rank = seen["own"][0]["rank"].as_str().expect("a rank");
    assert_eq!(stranger["grants"][0]["demand"], json!(rank), "the rank by which strangers see it");
    let record = market.anyone.get(&format!("{path}/record")).await.expect(200).body;
    let demands = record["snapshot"]["demands"].as_array().expect("demands");
    assert!(demands.iter().any(|demand| demand["want"]["bid"] == json!(rank)), "and by which it is in the record");

    let bad = market.anyone.with_token("nonsense").get(&path).await;
    assert_eq!(bad.status, 401, "a bad token is refused rather than ignored");
    assert_eq!(market.anyone.get(&format!("{path}1")).await.status, 404);
    assert_eq!(market.anyone.get(&path.replace("/1", "/first")).await.status, 404);
}

#[tokio::test]
async fn a_rounds_hash_can_be_computed_from_what_everybody_sees() {
    let (market, scene) = cleared(3).await;
    let mut previous = String::from_utf8(vec![b'0'; 64]).expect("zeros");
    for number in 1..=3 {
        let path = format!("/v1/pools/{}/rounds/{number}", scene.pool);
        let round = market.anyone.get(&path).await.expect(200);
        assert_eq!(round.text("previous_hash"), previous);
        let mut bytes = Vec::new();
        for pair in previous.as_bytes().chunks(2) {
            bytes.push(u8::from_str_radix(std::str::from_utf8(pair).expect("hex"), 16).expect("hex"));
        }
        bytes.extend(round.text("header").as_bytes());
        assert_eq!(scheduler::record::hex(&Sha256::digest(&bytes)), round.text("hash"));
        let header: serde_json::Value = serde_json::from_str(&round.text("header")).expect("a header");
        let record = reqwest::get(format!("{}{path}/record", market.anyone.base())).await.expect("an answer");
        let body = record.bytes().await.expect("a body");
        assert_eq!(scheduler::record::hex(&Sha256::digest(&body)), header["public_hash"].as_str().expect("a hash"));
        previous = round.text("hash");
    }
}

#[tokio::test]
async fn fairness_names_only_the_readers_own_jobs() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    let path = format!("/v1/pools/{}/fairness", scene.pool);
    let before = market.anyone.get(&path).await.expect(200).body;
    assert_eq!((before["round_number"].clone(), before["jobs"].clone()), (json!(null), json!([])));

    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    let (operator, ana) = (market.operator().await, market.tenant("ana").await);
    market.fund(&operator, &ana, "100").await;
    let own = scene.job(organisation(&ana).await, "h100-80gb", 1, 3600, "10").await.to_string();
    let other = scene.job(scene.organisation("100").await, "h100-80gb", 1, 3600, "10").await.to_string();
    round::step(&market.state).await.expect("a step");
    let seen = ana.get(&path).await.expect(200).body;
    let jobs = seen["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), 2);
    let mine = jobs.iter().find(|job| job["demand"] == json!(own)).expect("the reader's own");
    assert_eq!((mine["name"].clone(), mine["rho_denominator"].clone()), (json!("x"), json!("demand_aware")));
    assert!(!seen.to_string().contains(&other));
    let strangers = market.anyone.get(&path).await.expect(200).body;
    assert!(strangers["jobs"].as_array().expect("jobs").iter().all(|job| job["name"] == json!(null)));
    assert!(!strangers.to_string().contains(&own));
}

#[tokio::test]
async fn an_exchange_is_shown_with_its_prices_and_with_whose_floor_costs_what() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    let (operator, ana) = (market.operator().await, market.tenant("ana").await);
    market.fund(&operator, &ana, "100").await;
    let pool = format!("/v1/pools/{}", scene.pool);
    drop(operator.patch(&pool, json!({"share_policy": "exchange"})).await.expect(200));
    let poor = scene.job(organisation(&ana).await, "h100-80gb", 1, 36_000, "20").await.to_string();
    let rich = scene.job(scene.organisation("500").await, "h100-80gb", 1, 36_000, "400").await.to_string();
    round::step(&market.state).await.expect("a step");

    let path = format!("{pool}/rounds/1");
    let seen = ana.get(&path).await.expect(200).body;
    let exchange = &seen["exchange"];
    assert_eq!(exchange["outcome"], json!("cleared"));
    let figure = |text: &serde_json::Value| text.as_str().expect("decimal text").parse::<f64>().expect("a number");
    let class = &exchange["classes"][0];
    assert_eq!((class["class_id"].clone(), figure(&class["devices_to_bids"])), (json!("h100-80gb"), 0.0));
    assert!((figure(&class["devices_to_jobs"]) - 1.0).abs() < 0.002, "{exchange}");
    assert!(figure(&class["price_per_gpu_hour"]) > 2.0, "the rich one outbids the poor one's limit: {exchange}");
    assert_eq!(exchange["subsidies"].as_array().expect("subsidies").len(), 1, "{exchange}");
    assert_eq!(exchange["subsidies"][0]["demand"], json!(poor), "who is kept at a floor beyond its means");
    assert!(figure(&exchange["subsidies"][0]["per_hour"]) > 0.0);
    assert!(!seen.to_string().contains(&rich));
    assert!(!market.anyone.get(&path).await.expect(200).body.to_string().contains(&poor));

    drop(operator.patch(&pool, json!({"share_policy": "max_min"})).await.expect(200));
    market.clock.advance(Duration::seconds(60));
    round::step(&market.state).await.expect("a step");
    assert_eq!(ana.get(&format!("{pool}/rounds/2")).await.expect(200).body["exchange"], json!(null));
}
