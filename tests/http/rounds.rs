//! Rounds as everybody can read them.

use serde_json::json;
use sha2::{Digest as _, Sha256};
use souk::loops::round;
use souk_tests::{Scene, TestMarket};
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
