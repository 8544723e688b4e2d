//! What providers earn.

use serde_json::{Value, json};
use souk::loops;
use souk_tests::TestMarket;
use time::Duration;

#[tokio::test]
async fn a_provider_sees_by_node_and_day_what_its_tenants_paid() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let nora = market.tenant("nora").await;
    let supply = market.supply(&nora, "h100-80gb", 4, "3.00", "1.00").await;
    market.supply(&nora, "t4-16gb", 1, "1.00", "1.00").await;
    let nora = market.lasting(&nora, &["read", "wallet:read"]).await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    let ana = market.lasting(&ana, &["read", "rentals:write"]).await;

    // Half an hour before midnight until twenty minutes after.
    market.clock.advance(Duration::hours(23) + Duration::minutes(30));
    let rental = ana.post_once("/v1/rentals", "r", json!({"ask_id": supply.ask_id, "devices": 2})).await.expect(201);
    for _ in 0..8 {
        loops::provision::step(&market.state).await.unwrap();
        market.clock.advance(Duration::seconds(1));
    }
    for _ in 0..50 {
        market.clock.advance(Duration::minutes(1));
        loops::metering::step(&market.state).await.unwrap();
    }
    drop(ana.post_once(&format!("/v1/rentals/{}/end", rental.text("id")), "e", Value::Null).await.expect(200));
    loops::provision::step(&market.state).await.unwrap();

    let earnings = nora.get(&format!("/v1/providers/{}/earnings", supply.provider_id)).await.expect(200).body;
    let charged: i64 =
        sqlx::query_scalar("SELECT charged_micros FROM rentals").fetch_one(&market.state.db).await.unwrap();
    let micros = |value: &Value| value.as_str().unwrap().parse::<scheduler::world::money::Micros>().unwrap().get();
    assert!(charged > 5_000_000, "fifty minutes of two devices at three an hour");
    assert_eq!(micros(&earnings["gross"]), charged);
    assert_eq!(micros(&earnings["net"]) + micros(&earnings["fee"]), charged);
    assert_eq!((&earnings["pending"], &earnings["available"]), (&earnings["net"], &json!("0.00")));
    let days = earnings["days"].as_array().unwrap();
    assert_eq!(days.iter().map(|day| day["date"].as_str().unwrap()).collect::<Vec<_>>(), ["2030-01-01", "2030-01-02"]);
    assert_eq!(days.iter().map(|day| micros(&day["net"])).sum::<i64>(), micros(&earnings["net"]));
    let nodes = earnings["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 1, "a node that earned nothing is not listed");
    assert_eq!((&nodes[0]["node_id"], &nodes[0]["gross"]), (&json!(supply.node_id), &earnings["gross"]));
    let used: i64 = sqlx::query_scalar(
        "SELECT sum(devices * extract(epoch FROM ends_at - starts_at) * 1000)::bigint FROM usage_intervals",
    )
    .fetch_one(&market.state.db)
    .await
    .unwrap();
    assert_eq!(micros(&earnings["device_hours"]), (used * 10 + 18) / 36);

    let first = "from=2030-01-01T00:00:00Z&to=2030-01-02T00:00:00Z";
    let second = "from=2030-01-02T00:00:00Z&to=2030-01-03T00:00:00Z";
    let mut sum = 0;
    for span in [first, second] {
        let part = nora.get(&format!("/v1/providers/{}/earnings?{span}", supply.provider_id)).await.expect(200).body;
        assert_eq!(part["days"].as_array().unwrap().len(), 1);
        sum += micros(&part["net"]);
    }
    assert_eq!(sum, micros(&earnings["net"]), "spans that touch lose nothing and count nothing twice");
}

#[tokio::test]
async fn nothing_earned_is_zero_and_a_span_that_is_none_is_refused() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let path = format!("/v1/providers/{}/earnings", market.provider_of(&ana).await);
    let earnings = ana.get(&path).await.expect(200).body;
    for (field, value) in [
        ("gross", json!("0.00")),
        ("fee", json!("0.00")),
        ("net", json!("0.00")),
        ("device_hours", json!("0.00")),
        ("nodes", json!([])),
        ("days", json!([])),
        ("from", json!("2029-12-02T00:00:00.000Z")),
        ("to", json!("2030-01-01T00:00:00.000Z")),
    ] {
        assert_eq!(earnings[field], value, "{field}");
    }
    for (query, field) in [
        ("from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z", "from"),
        ("from=2030-01-01T00:00:00Z&to=2030-01-01T00:00:00Z", "from"),
        ("from=2000-01-01T00:00:00Z", "from"),
        ("from=yesterday", "from"),
        ("to=9", "to"),
        ("to=0000-01-01T00:00:00Z", "to"),
        ("since=2030-01-01T00:00:00Z", "since"),
    ] {
        assert_eq!(ana.get(&format!("{path}?{query}")).await.expect(422).body["field"], field, "{query}");
    }
}
