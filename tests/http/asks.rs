//! What providers ask: placed, replaced, withdrawn, and refused.

use serde_json::{Value, json};
use souk_tests::TestMarket;
use souk_tests::supply::Supply;
use time::Duration;

fn terms(node: &Supply) -> Value {
    json!({"node_id": node.node_id, "class_id": "h100-80gb", "price_per_gpu_hour": "2.50", "floor_per_gpu_hour": "1.00"})
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

#[tokio::test]
async fn a_new_ask_replaces_the_live_one_and_both_are_told() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.supply(&ana, "h100-80gb", 4, "2.50", "1.00").await;
    let second = ana.post("/v1/asks", with(terms(&node), "price_per_gpu_hour", json!("3"))).await.expect(201);
    assert_eq!((&second.body["price_per_gpu_hour"], &second.body["min_chunk"]), (&json!("3.00"), &json!(1)));
    let asks = ana.get(&format!("/v1/asks?node_id={}", node.node_id)).await.expect(200);
    let listed: Vec<_> = asks.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ask| (ask["id"].clone(), ask["withdrawn_at"].clone()))
        .collect();
    let live = (second.body["id"].clone(), json!(null));
    let past = (json!(node.ask_id), json!("2030-01-01T00:00:00.000Z"));
    assert!(listed.len() == 2 && listed.contains(&live) && listed.contains(&past), "{listed:?}");
    let told: Vec<(String, String)> = sqlx::query_as("SELECT kind, subject FROM events WHERE kind LIKE 'ask.%'")
        .fetch_all(&market.state.db)
        .await
        .unwrap();
    for (kind, ask) in
        [("ask.created", &node.ask_id), ("ask.withdrawn", &node.ask_id), ("ask.created", &second.text("id"))]
    {
        assert!(told.contains(&(kind.to_owned(), ask.clone())), "{kind} {ask}");
    }
}

#[tokio::test]
async fn withdrawing_twice_changes_nothing_more() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.supply(&ana, "h100-80gb", 4, "2.50", "1.00").await;
    let path = format!("/v1/asks/{}/withdraw", node.ask_id);
    let first = ana.post(&path, json!({})).await.expect(200);
    market.clock.advance(Duration::seconds(5));
    let second = ana.post(&path, json!({})).await.expect(200);
    assert_eq!(second.body, first.body);
    let told: i64 = sqlx::query_scalar("SELECT count(*) FROM events WHERE kind = 'ask.withdrawn'")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    assert_eq!(told, 1);
}

#[tokio::test]
async fn asks_that_cannot_be_meant_are_refused_without_effect() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.node(&ana, &[("h100-80gb", 4)]).await;
    let forty_digits = "9".repeat(40);
    let mut cases: Vec<(&str, Value, &str)> = Vec::new();
    for price in [
        "",
        "0",
        "0.00",
        "-0",
        "-1.50",
        "+1",
        "NaN",
        "Infinity",
        "1e3",
        "1E400",
        "0x1",
        "1.0000001",
        "1,5",
        " 1",
        "1 ",
        "１.5",
        "٣",
        "1000000.000001",
        "1'; DROP TABLE asks; --",
        "\u{0}",
        forty_digits.as_str(),
    ] {
        cases.push(("price_per_gpu_hour", json!(price), "invalid_value"));
        cases.push(("floor_per_gpu_hour", json!(price), "invalid_value"));
    }
    cases.extend([
        ("price_per_gpu_hour", json!(2.5), "invalid_value"),
        ("price_per_gpu_hour", json!(null), "invalid_value"),
        ("floor_per_gpu_hour", json!("2.500001"), "invalid_value"),
        ("min_chunk", json!(0), "invalid_value"),
        ("min_chunk", json!(-1), "invalid_value"),
        ("min_chunk", json!(5), "invalid_value"),
        ("min_chunk", json!(1e12), "invalid_value"),
        ("ends_at", json!("2030-01-01T00:00:00Z"), "invalid_value"),
        ("ends_at", json!("2029-12-31T23:59:59.999Z"), "invalid_value"),
        ("ends_at", json!("tomorrow"), "invalid_value"),
        ("class_id", json!("t4-16gb"), "invalid_value"),
        ("class_id", json!("H100"), "invalid_value"),
        ("class_id", json!("' OR 1=1 --"), "invalid_value"),
        ("node_id", json!("node_xyz"), "invalid_value"),
        ("node_id", json!(node.pool_id), "invalid_value"),
        ("currency", json!("EUR"), "unknown_field"),
    ]);
    for (field, value, code) in cases {
        let answer = ana.post("/v1/asks", with(terms(&node), field, value.clone())).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{field} = {value}: {}", answer.body);
        // A value of another type is refused before its field is known.
        if value.is_string() {
            assert_eq!(answer.body["field"], field, "{field} = {value}");
        }
    }
    assert_eq!(ana.get("/v1/asks").await.expect(200).body["items"], json!([]));
}

#[tokio::test]
async fn the_schema_refuses_what_a_handler_would_have_missed() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.supply(&ana, "h100-80gb", 4, "2.50", "1.00").await;
    for (change, constraint) in [
        ("price_micros_per_hour = 0", "asks_floor_below_price"),
        ("price_micros_per_hour = 1000000000001", "asks_price_micros_per_hour_check"),
        ("floor_micros_per_hour = 0", "asks_floor_micros_per_hour_check"),
        ("floor_micros_per_hour = -1", "asks_floor_micros_per_hour_check"),
        ("floor_micros_per_hour = 2500001", "asks_floor_below_price"),
        ("min_chunk = 0", "asks_min_chunk_check"),
        ("currency = 'usd'", "asks_currency_check"),
    ] {
        let refused = sqlx::query(&format!("UPDATE asks SET {change}")).execute(&market.state.db).await.unwrap_err();
        let refused = refused.into_database_error().unwrap();
        assert_eq!(refused.constraint(), Some(constraint), "{change}");
    }
    assert_eq!(
        ana.get(&format!("/v1/nodes/{}", node.node_id)).await.expect(200).body["asks"][0]["price_per_gpu_hour"],
        "2.50"
    );
}

#[tokio::test]
async fn nobody_asks_for_what_is_another_organisations() {
    let market = TestMarket::start().await;
    let (ana, bea) = (market.tenant("ana").await, market.tenant("bea").await);
    let node = market.supply(&ana, "h100-80gb", 4, "2.50", "1.00").await;
    let answer = bea.post("/v1/asks", terms(&node)).await.expect(404);
    assert_eq!((answer.code(), &answer.body["field"]), ("not_found", &json!("node_id")));
    assert_eq!(
        bea.post(&format!("/v1/asks/{}/withdraw", node.ask_id), json!({})).await.expect(404).code(),
        "not_found"
    );
    assert_eq!(bea.get("/v1/asks").await.expect(200).body["items"], json!([]));
    assert_eq!(bea.get(&format!("/v1/asks?node_id={}", node.node_id)).await.expect(200).body["items"], json!([]));
    assert_eq!(bea.get(&format!("/v1/nodes/{}", node.node_id)).await.expect(404).code(), "not_found");
    for step in ["drain", "resume"] {
        assert_eq!(
            bea.post(&format!("/v1/nodes/{}/{step}", node.node_id), json!({})).await.expect(404).code(),
            "not_found"
        );
    }
    for list in ["nodes", "earnings"] {
        assert_eq!(
            bea.get(&format!("/v1/providers/{}/{list}", node.provider_id)).await.expect(404).code(),
            "not_found"
        );
    }
}

#[tokio::test]
async fn of_asks_placed_at_once_one_is_live() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.supply(&ana, "h100-80gb", 4, "2.50", "1.00").await;
    let place = |cents: u32| {
        let (ana, body) = (ana.clone(), with(terms(&node), "price_per_gpu_hour", json!(format!("3.{cents:02}"))));
        tokio::spawn(async move { ana.post("/v1/asks", body).await })
    };
    let placing: Vec<_> = (0..16).map(place).collect();
    let mut placed = 0;
    for answer in placing {
        let answer = answer.await.unwrap();
        assert!(answer.status == 201 || (answer.status == 409 && answer.code() == "conflict"), "{}", answer.body);
        placed += usize::from(answer.status == 201);
    }
    assert!(placed >= 1);
    let live: i64 = sqlx::query_scalar("SELECT count(*) FROM asks WHERE withdrawn_at IS NULL")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    assert_eq!(live, 1);
}
