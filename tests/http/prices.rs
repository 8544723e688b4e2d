//! Price history and the book.

use serde_json::json;
use souk::loops::round;
use souk_tests::{Scene, TestMarket};
use time::Duration;

/// Prices of one class, a round a minute from the market's beginning.
async fn history(prices: &[i64]) -> (TestMarket, Scene) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    for (number, price) in (1_i64..).zip(prices) {
        sqlx::query(
            "INSERT INTO prices (pool_id, class_id, round_number, cleared_at, price_micros_per_hour, supply_devices, granted_devices, demanded_devices)
             VALUES ($1, 'h100-80gb', $2, $3, $4, 8, 4, 6)",
        )
        .bind(scene.pool.uuid())
        .bind(number)
        .bind(market.state.clock.now())
        .bind(price * 10_000)
        .execute(&market.state.db)
        .await
        .expect("a price");
        market.clock.advance(Duration::seconds(60));
    }
    (market, scene)
}

#[tokio::test]
async fn a_step_has_the_bands_of_its_rounds() {
    let (market, scene) = history(&[100, 130, 90, 120, 110, 500]).await;
    let path = format!("/v1/pools/{}/prices?class=h100-80gb&step_seconds=300", scene.pool);
    let body = market.anyone.get(&path).await.expect(200).body;
    assert_eq!(
        body["points"][0],
        json!({
            "at": "2030-01-01T00:00:00.000Z", "open": "1.00", "high": "1.30", "low": "0.90", "close": "1.10",
            "p10": "0.90", "p50": "1.10", "p90": "1.30",
            "supply_devices": 8, "granted_devices": 4, "demanded_devices": 6, "rounds": 5
        })
    );
    assert_eq!(body["points"][1]["open"], json!("5.00"));
    assert_eq!((body["step_seconds"].clone(), body["currency"].clone()), (json!(300), json!("USD")));
}

#[tokio::test]
async fn a_range_excludes_its_end() {
    let (market, scene) = history(&[100, 200, 300]).await;
    let path = format!(
        "/v1/pools/{}/prices?class=h100-80gb&from=2030-01-01T00:01:00Z&to=2030-01-01T00:02:00Z&step_seconds=1",
        scene.pool
    );
    let points = market.anyone.get(&path).await.expect(200).body["points"].clone();
    assert_eq!(points.as_array().expect("points").len(), 1);
    assert_eq!(points[0]["open"], json!("2.00"));
}

#[tokio::test]
async fn odd_parameters_are_refused_by_name() {
    let (market, scene) = history(&[100]).await;
    for (query, code, field) in [
        ("", "invalid_value", "class"),
        ("class=H100", "invalid_value", "class"),
        ("class=h100-80gb&step_seconds=0", "invalid_value", "step_seconds"),
        ("class=h100-80gb&step_seconds=1", "invalid_value", "step_seconds"),
        ("class=h100-80gb&from=yesterday", "invalid_value", "from"),
        ("class=h100-80gb&from=2031-01-01T00:00:00Z&to=2030-01-01T00:00:00Z", "invalid_value", "from"),
        ("class=h100-80gb&grain=5", "unknown_field", "grain"),
    ] {
        let refused = market.anyone.get(&format!("/v1/pools/{}/prices?{query}", scene.pool)).await;
        assert_eq!((refused.status, refused.code()), (422, code), "{query}: {}", refused.body);
        assert_eq!(refused.body["field"], json!(field), "{query}");
    }
}

#[tokio::test]
async fn the_book_of_a_pool_that_was_never_cleared_is_empty() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    let path = format!("/v1/pools/{}/depth?class=h100-80gb", scene.pool);
    let body = market.anyone.get(&path).await.expect(200).body;
    assert_eq!(body["round_number"], json!(0));
    assert_eq!((body["bids"].clone(), body["asks"].clone()), (json!([]), json!([])));
}

#[tokio::test]
async fn the_book_shows_what_the_last_round_saw() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    let ana = scene.organisation("100").await;
    scene.bid(ana, "h100-80gb", 1, "3.00").await;
    round::step(&market.state).await.expect("a step");
    let path = format!("/v1/pools/{}/depth?class=h100-80gb", scene.pool);
    let body = market.anyone.get(&path).await.expect(200).body;
    assert_eq!(body["round_number"], json!(1));
    assert_eq!(body["class_id"], json!("h100-80gb"));
}
