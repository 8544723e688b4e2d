//! What a rental would cost, before anything is paid.

use serde_json::{Value, json};
use souk_tests::TestMarket;

#[tokio::test]
async fn a_quote_shows_every_part_of_the_price_the_hold_and_the_runway() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let bea = market.tenant("bea").await;
    let operator = market.operator().await;
    market.fund(&operator, &bea, "50.00").await;
    let supply = market.supply(&ana, "h100-80gb", 8, "2.50", "1.00").await;
    let quote = bea.post("/v1/quotes", json!({"ask_id": supply.ask_id, "devices": 4})).await.expect(201);
    assert_eq!((&quote.body["price_per_gpu_hour"], &quote.body["price_per_hour"]), (&json!("2.50"), &json!("10.00")));
    assert_eq!(
        quote.body["parts"],
        json!([
            {"label": "4 x h100-80gb, to the provider", "per_hour": "9.50"},
            {"label": "marketplace fee, 5.00 % of the price, included", "per_hour": "0.50"},
        ])
    );
    assert_eq!((&quote.body["hold"], &quote.body["runway_seconds"]), (&json!("10.00"), &json!(5 * 3600)));
    assert_eq!(
        (&quote.body["created_at"], &quote.body["expires_at"]),
        (&json!("2030-01-01T00:00:00.000Z"), &json!("2030-01-01T00:05:00.000Z"))
    );
    let again = bea.get(&format!("/v1/quotes/{}", quote.text("id"))).await.expect(200);
    assert_eq!(again.body, quote.body);
}

#[tokio::test]
async fn a_quoted_price_outlives_a_raise_and_the_new_quote_has_the_new_price() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let bea = market.tenant("bea").await;
    let supply = market.supply(&ana, "h100-80gb", 8, "2.50", "1.00").await;
    let quote = bea.post("/v1/quotes", json!({"ask_id": supply.ask_id, "devices": 1})).await.expect(201);
    let raised = json!({"node_id": supply.node_id, "class_id": "h100-80gb", "price_per_gpu_hour": "9.00", "floor_per_gpu_hour": "1.00"});
    let raised = ana.post("/v1/asks", raised).await.expect(201);
    let kept = bea.get(&format!("/v1/quotes/{}", quote.text("id"))).await.expect(200);
    assert_eq!(kept.body["price_per_gpu_hour"], "2.50");
    let gone = bea.post("/v1/quotes", json!({"ask_id": supply.ask_id, "devices": 1})).await.expect(422);
    assert_eq!(gone.body["field"], "ask_id");
    let new = bea.post("/v1/quotes", json!({"ask_id": raised.text("id"), "devices": 1})).await.expect(201);
    assert_eq!(new.body["price_per_gpu_hour"], "9.00");
}

#[tokio::test]
async fn a_quote_belongs_to_who_asked_for_it() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let bea = market.tenant("bea").await;
    let supply = market.supply(&ana, "h100-80gb", 8, "2.50", "1.00").await;
    let quote = bea.post("/v1/quotes", json!({"ask_id": supply.ask_id, "devices": 1})).await.expect(201);
    let path = format!("/v1/quotes/{}", quote.text("id"));
    assert_eq!(ana.get(&path).await.expect(404).code(), "not_found");
    assert_eq!(market.anyone.get(&path).await.expect(401).code(), "unauthenticated");
}

#[tokio::test]
async fn what_cannot_be_quoted_names_its_field() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.node(&ana, &[("h100-80gb", 8)]).await;
    let ask = json!({"node_id": node.node_id, "class_id": "h100-80gb", "price_per_gpu_hour": "2.50", "floor_per_gpu_hour": "1", "min_chunk": 2});
    let ask = ana.post("/v1/asks", ask).await.expect(201).text("id");
    let cases: [(Value, u16, &str, Value); 9] = [
        (json!({"ask_id": ask, "devices": 1}), 422, "invalid_value", json!("devices")),
        (json!({"ask_id": ask, "devices": 9}), 422, "invalid_value", json!("devices")),
        (json!({"ask_id": ask, "devices": 0}), 422, "invalid_value", json!("devices")),
        (json!({"ask_id": ask, "devices": -2}), 422, "invalid_value", json!("devices")),
        (json!({"ask_id": ask, "devices": 2.5}), 422, "invalid_value", json!(null)),
        (json!({"ask_id": ask, "devices": 99_999_999_999_i64}), 422, "invalid_value", json!(null)),
        (
            json!({"ask_id": "ask_00000000000000000000000000000000", "devices": 2}),
            422,
            "no_such_offer",
            json!("ask_id"),
        ),
        (json!({"ask_id": node.node_id, "devices": 2}), 422, "invalid_value", json!("ask_id")),
        (json!({"ask_id": ask, "devices": 2, "price": "1"}), 422, "unknown_field", json!("price")),
    ];
    for (body, status, code, field) in cases {
        let answer = ana.post("/v1/quotes", body.clone()).await;
        assert_eq!((answer.status, answer.code(), &answer.body["field"]), (status, code, &field), "{body}");
    }
    drop(ana.post("/v1/quotes", json!({"ask_id": ask, "devices": 2})).await.expect(201));
    drop(ana.post("/v1/quotes", json!({"ask_id": ask, "devices": 8})).await.expect(201));
}
