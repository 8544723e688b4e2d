//! Draining a node under load.

use serde_json::{Value, json};
use souk::loops::{provision, round};
use souk_tests::supply::Supply;
use souk_tests::{Client, TestMarket};
use time::Duration;

async fn settle(market: &TestMarket, seconds: i64) {
    for _ in 0..seconds / 10 {
        round::step(&market.state).await.unwrap();
        provision::step(&market.state).await.unwrap();
        market.clock.advance(Duration::seconds(10));
        provision::step(&market.state).await.unwrap();
    }
}

async fn rentals(ana: &Client) -> Vec<Value> {
    ana.get("/v1/rentals").await.expect(200).body["items"].as_array().unwrap().clone()
}

async fn act(client: &Client, node: &Supply, step: &str) {
    drop(client.post(&format!("/v1/nodes/{}/{step}", node.node_id), json!({})).await.expect(200));
}

#[tokio::test]
async fn a_bid_on_a_draining_node_gets_notice_and_moves_while_a_rental_at_the_posted_price_stays() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let nora = market.tenant("nora").await;
    let first = market.supply(&nora, "h100-80gb", 2, "3.00", "1.00").await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "1000").await;
    let ana = market.lasting(&ana, &["read", "rentals:write", "bids:write"]).await;
    let nora = market.lasting(&nora, &["read", "supply:write"]).await;
    drop(ana.post_once("/v1/rentals", "r", json!({"ask_id": first.ask_id, "devices": 1})).await.expect(201));
    drop(ana.post_once("/v1/bids", "b", json!({"gpu": "H100:1", "limit_per_gpu_hour": "2.00"})).await.expect(201));
    settle(&market, 120).await;
    let on = |rentals: &[Value], kind: &str| -> Vec<(Value, Value)> {
        let of_kind = rentals.iter().filter(|rental| rental["kind"] == kind);
        of_kind.map(|rental| (rental["node_id"].clone(), rental["state"].clone())).collect()
    };
    let running = |node: &Supply| (json!(node.node_id), json!("running"));
    let before = rentals(&ana).await;
    assert_eq!((on(&before, "on_demand"), on(&before, "bid")), (vec![running(&first)], vec![running(&first)]));

    let second = market.supply(&nora, "h100-80gb", 2, "3.00", "1.00").await;
    act(&nora, &first, "drain").await;
    // The minimum run, a round, and the notice.
    settle(&market, 600).await;
    let after = rentals(&ana).await;
    assert_eq!(on(&after, "on_demand"), [running(&first)]);
    let bids = on(&after, "bid");
    assert!(bids.contains(&running(&second)), "{bids:?}");
    assert!(bids.contains(&(json!(first.node_id), json!("ended"))), "{bids:?}");
    let refused = ana.post_once("/v1/rentals", "r2", json!({"ask_id": first.ask_id, "devices": 1})).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    act(&nora, &first, "resume").await;
    drop(ana.post_once("/v1/rentals", "r3", json!({"ask_id": first.ask_id, "devices": 1})).await.expect(201));
}
