//! Alerts as operators see them.

use serde_json::json;
use souk::store::Tx;
use souk::store::alerts::{self, NewAlert, Severity};
use souk_tests::TestMarket;
use time::Duration;

async fn raise(market: &TestMarket, code: &str) {
    let now = market.state.clock.now();
    let alert = NewAlert {
        id: market.state.entropy.id(now),
        pool: None,
        code,
        severity: Severity::Warning,
        message: "look here",
    };
    let mut tx = Tx::begin(&market.state.db).await.expect("a transaction");
    alerts::raise(&mut tx, &alert, now).await.expect("raised");
    tx.commit().await.expect("committed");
}

#[tokio::test]
async fn the_same_trouble_is_one_alert_until_it_is_resolved() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    raise(&market, "clock_jumped").await;
    market.clock.advance(Duration::seconds(5));
    raise(&market, "clock_jumped").await;
    let items = operator.get("/v1/admin/alerts").await.expect(200).body["items"].clone();
    assert_eq!(items.as_array().expect("items").len(), 1);
    assert_eq!((items[0]["times"].clone(), items[0]["resolved_at"].clone()), (json!(2), json!(null)));
    assert_eq!(items[0]["raised_at"], json!("2030-01-01T00:00:00.000Z"));
    assert_eq!(items[0]["seen_at"], json!("2030-01-01T00:00:05.000Z"));

    let path = format!("/v1/admin/alerts/{}/resolve", items[0]["id"].as_str().expect("an id"));
    let resolved = operator.post(&path, json!({})).await.expect(200).text("resolved_at");
    market.clock.advance(Duration::seconds(5));
    assert_eq!(operator.post(&path, json!({})).await.expect(200).text("resolved_at"), resolved, "once is enough");
    raise(&market, "clock_jumped").await;
    let items = operator.get("/v1/admin/alerts").await.expect(200).body["items"].clone();
    assert_eq!(items.as_array().expect("items").len(), 2, "it came back");
}

#[tokio::test]
async fn alerts_are_for_operators() {
    let market = TestMarket::start().await;
    let tenant = market.tenant("ana").await;
    assert_eq!(market.anyone.get("/v1/admin/alerts").await.status, 401);
    assert_eq!(tenant.get("/v1/admin/alerts").await.status, 403);
    let nothing = "/v1/admin/alerts/alr_00000000000000000000000000000001/resolve";
    assert_eq!(tenant.post(nothing, json!({})).await.status, 403);
    let operator = market.operator().await;
    assert_eq!(operator.post(nothing, json!({})).await.status, 404);
}
