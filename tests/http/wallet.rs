//! Credits, balances, entries and holds.

use serde_json::json;
use souk_tests::{Client, TestMarket};

async fn organisation(client: &Client) -> String {
    client.get("/v1/me").await.expect(200).body["organisation"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_credit_is_available_at_once_and_its_reason_is_shown() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    let to = organisation(&ana).await;
    let body = json!({"organisation_id": to, "amount": "100.00", "reason": "launch credit"});
    let transfer = operator.post_once("/v1/credits", "credit-1", body).await.expect(201);
    assert_eq!((transfer.text("kind"), transfer.text("amount")), ("credit".into(), "100.00".into()));
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!(wallet.text("available"), "100.00");
    assert_eq!(wallet.text("held"), "0.00");
    assert_eq!(wallet.body["runway_seconds"], json!(null));
    let entries = ana.get("/v1/wallet/entries").await.expect(200);
    assert_eq!(entries.body["items"][0]["transfer_id"], transfer.body["id"]);
    assert_eq!(entries.body["items"][0]["reason"], "launch credit");
    assert_eq!(entries.body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn amounts_are_read_exactly_or_refused() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    let to = organisation(&ana).await;
    for (number, amount) in ["0.29", "1.005", "64.10", "0.000001"].into_iter().enumerate() {
        let body = json!({"organisation_id": to, "amount": amount, "reason": "exact"});
        drop(operator.post_once("/v1/credits", &format!("exact-{number}"), body).await.expect(201));
    }
    assert_eq!(ana.get("/v1/wallet").await.expect(200).text("available"), "65.395001");
    let long = "1".repeat(40);
    for amount in
        ["-1.50", "1e3", "NaN", "inf", "-0", "0", "0.0000001", "1,5", " 1", "1.", ".5", "", "+1", long.as_str()]
    {
        let body = json!({"organisation_id": to, "amount": amount, "reason": "odd"});
        let answer = operator.post_once("/v1/credits", "odd", body).await;
        assert_eq!((answer.status, answer.code()), (422, "invalid_value"), "{amount:?}");
        assert_eq!(answer.body["field"], "amount", "{amount:?}");
    }
    let number = json!({"organisation_id": to, "amount": 1.5, "reason": "a float"});
    assert_eq!(operator.post_once("/v1/credits", "odd", number).await.expect(422).code(), "invalid_value");
    assert_eq!(ana.get("/v1/wallet").await.expect(200).text("available"), "65.395001");
}

#[tokio::test]
async fn a_key_gives_its_credit_once_and_belongs_to_its_body() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    let body = json!({"organisation_id": organisation(&ana).await, "amount": "5", "reason": "once"});
    let first = operator.post_once("/v1/credits", "k", body.clone()).await.expect(201);
    let again = operator.post_once("/v1/credits", "k", body.clone()).await.expect(201);
    assert_eq!(first.body, again.body);
    assert_eq!(again.headers["idempotent-replay"], "true");
    let mut other = body.clone();
    other["amount"] = json!("6");
    assert_eq!(operator.post_once("/v1/credits", "k", other).await.expect(409).code(), "idempotency_key_reused");
    assert_eq!(operator.post("/v1/credits", body).await.expect(400).code(), "idempotency_key_missing");
    assert_eq!(ana.get("/v1/wallet").await.expect(200).text("available"), "5.00");
}

#[tokio::test]
async fn only_operators_give_credit_and_only_to_those_who_exist() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    let body = json!({"organisation_id": organisation(&ana).await, "amount": "5", "reason": "self service"});
    assert_eq!(ana.post_once("/v1/credits", "k", body).await.expect(403).code(), "forbidden");
    let nobody = json!({"organisation_id": "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23", "amount": "5", "reason": "lost"});
    let answer = operator.post_once("/v1/credits", "k", nobody).await.expect(404);
    assert_eq!((answer.code(), &answer.body["field"]), ("not_found", &json!("organisation_id")));
    let wordless = json!({"organisation_id": organisation(&ana).await, "amount": "5", "reason": "  "});
    assert_eq!(operator.post_once("/v1/credits", "k", wordless).await.expect(422).body["field"], "reason");
}

#[tokio::test]
async fn pages_of_entries_neither_skip_nor_repeat() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    for _ in 0..7 {
        market.fund(&operator, &ana, "1").await;
    }
    let whole = ana.get("/v1/wallet/entries").await.expect(200);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ana.get(&format!("/v1/wallet/entries?limit=2{cursor}")).await.expect(200);
        seen.extend(page.body["items"].as_array().unwrap().clone());
        match page.body["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(json!(seen), whole.body["items"]);
    assert_eq!(seen.len(), 7);
    assert_eq!(ana.get("/v1/wallet/entries?cursor=nonsense").await.expect(422).body["field"], "cursor");
}
