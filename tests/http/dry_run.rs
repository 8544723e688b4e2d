//! Bids that are tried and not placed.

use serde_json::{Value, json};
use souk::loops::round;
use souk_tests::{Client, Scene, TestMarket};
use time::Duration;

async fn market() -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    let tenant = market.tenant("ana").await;
    (market, scene, tenant)
}

async fn tried(tenant: &Client, gpu: &str, limit: &str) -> Value {
    let body = json!({ "gpu": gpu, "limit_per_gpu_hour": limit });
    tenant.post("/v1/bids/dry-run", body).await.expect(200).body
}

#[tokio::test]
async fn a_bid_that_would_win_is_told_its_price_and_places_nothing() {
    let (market, _, tenant) = market().await;
    let outlook = tried(&tenant, "H100:2", "3.00").await;
    assert_eq!(outlook["would_win"], json!(true), "{outlook}");
    assert_eq!((outlook["hold"].clone(), outlook["total_per_hour_max"].clone()), (json!("6.00"), json!("6.00")));
    assert_eq!(outlook["round_number"], json!(1));
    let left: i64 = sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM bids) + (SELECT count(*) FROM holds) + (SELECT count(*) FROM rounds)",
    )
    .fetch_one(&market.state.db)
    .await
    .expect("a count");
    assert_eq!(left, 0, "nothing is left of a dry run");
}

#[tokio::test]
async fn a_dry_run_says_what_the_round_then_does() {
    let (market, scene, tenant) = market().await;
    let operator = market.operator().await;
    market.fund(&operator, &tenant, "1000").await;
    let rival = scene.organisation("1000").await;
    for limit in ["1.50", "2.50", "3.50"] {
        scene.bid(rival, "h100-80gb", 1, limit).await;
    }
    for (number, limit) in ["1.20", "2.00", "2.60", "4.00"].into_iter().enumerate() {
        market.clock.advance(Duration::seconds(3));
        let outlook = tried(&tenant, "H100:1", limit).await;
        let body = json!({ "gpu": "H100:1", "limit_per_gpu_hour": limit });
        let bid = tenant.post_once("/v1/bids", &format!("key-{number}"), body).await.expect(201).text("id");
        market.clock.advance(Duration::seconds(60));
        round::step(&market.state).await.expect("a step");
        let state: String =
            sqlx::query_scalar("SELECT state FROM bids WHERE 'bid_' || replace(id::text, '-', '') = $1")
                .bind(&bid)
                .fetch_one(&market.state.db)
                .await
                .expect("a state");
        let code: String = sqlx::query_scalar("SELECT code FROM explanations WHERE subject = $1")
            .bind(&bid)
            .fetch_one(&market.state.db)
            .await
            .expect("an explanation");
        assert_eq!(
            outlook["would_win"],
            json!(state == "allocated" || code == "awaiting_notice"),
            "{limit}: {outlook} {state} {code}"
        );
        // The next try is on a market without it.
        sqlx::query("UPDATE bids SET ends_at = created_at WHERE 'bid_' || replace(id::text, '-', '') = $1")
            .bind(&bid)
            .execute(&market.state.db)
            .await
            .expect("ended");
    }
}

#[tokio::test]
async fn a_bid_that_could_not_be_placed_cannot_be_tried() {
    let (market, _, tenant) = market().await;
    for (body, status, code) in [
        (json!({ "gpu": "H100:1", "limit_per_gpu_hour": "1000.00" }), 422, "bid_limit_above_cap"),
        (json!({ "gpu": "H100:1", "limit_per_gpu_hour": "0.50" }), 422, "bid_limit_below_floor"),
        (json!({ "gpu": "H100:1", "limit_per_gpu_hour": "-1" }), 422, "invalid_value"),
        (json!({ "gpu": "Q9000:1", "limit_per_gpu_hour": "1.50" }), 422, "no_such_class"),
        (json!({ "gpu": "H100:1", "limit_per_gpu_hour": "1.50", "surprise": 1 }), 422, "unknown_field"),
    ] {
        let refused = tenant.post("/v1/bids/dry-run", body.clone()).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{body}");
    }
    let body = json!({ "gpu": "H100:1", "limit_per_gpu_hour": "3.00" });
    assert_eq!(market.anyone.post("/v1/bids/dry-run", body).await.status, 401);
}
