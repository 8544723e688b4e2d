//! Placing, seeing and taking back bids, and the money that goes with them.

use serde_json::{Value, json};
use souk::loops;
use souk_tests::scene::Scene;
use souk_tests::{Client, TestMarket};
use time::Duration;

/// A market with four H100s at a floor of 1.90, and a tenant with a hundred.
async fn market() -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 4, "1.90", "3.00").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    (market, scene, ana)
}

fn bid(gpu: &str, limit: &str) -> Value {
    json!({"gpu": gpu, "limit_per_gpu_hour": limit})
}

async fn wallet(client: &Client) -> (String, String) {
    let wallet = client.get("/v1/wallet").await.expect(200);
    (wallet.text("available"), wallet.text("held"))
}

#[tokio::test]
async fn a_bid_sets_an_hour_at_its_limit_aside_and_waits_in_the_book() {
    let (market, scene, ana) = market().await;
    let body = json!({"pool_id": scene.pool.to_string(), "gpu": "80GB:H100:2", "limit_per_gpu_hour": "2.5",
                      "ends_at": "2030-01-02T00:00:00+01:00", "reenter": false, "command": "python train.py"});
    let placed = ana.post_once("/v1/bids", "k", body).await.expect(201);
    assert_eq!(placed.body["state"], "open");
    assert_eq!(placed.body["gpu"], "H100:80GB:2");
    assert_eq!(placed.body["class_ids"], json!(["h100-80gb"]));
    assert_eq!(placed.body["gang"], 2);
    assert_eq!(placed.body["limit_per_gpu_hour"], "2.50");
    assert_eq!(placed.body["hold"], "5.00");
    assert_eq!(placed.body["ends_at"], "2030-01-01T23:00:00.000Z");
    assert_eq!(placed.body["actions"], json!(["cancel"]));
    assert_eq!(wallet(&ana).await, ("95.00".into(), "5.00".into()));
    let path = format!("/v1/bids/{}", placed.text("id"));
    assert_eq!(ana.get(&path).await.expect(200).body, placed.body);
    let holds = ana.get("/v1/wallet/holds").await.expect(200);
    assert_eq!(holds.body["items"][0]["subject"], placed.body["id"]);
    assert_eq!(holds.body["items"][0]["remaining"], "5.00");
    let entries = ana.get("/v1/wallet/entries").await.expect(200);
    let moved: Vec<_> = entries.body["items"].as_array().unwrap().iter().take(2).collect();
    assert_eq!((&moved[0]["account"], &moved[0]["amount"]), (&json!("held"), &json!("5.00")));
    assert_eq!((&moved[1]["account"], &moved[1]["amount"]), (&json!("available"), &json!("-5.00")));
    drop(market);
}

#[tokio::test]
async fn a_full_disk_refuses_bids_for_now_and_leaves_nothing_behind() {
    let (market, _scene, ana) = market().await;
    let full = "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$";
    sqlx::query(full).execute(&market.state.db).await.unwrap();
    let breaks = "CREATE TRIGGER full_up BEFORE INSERT ON holds FOR EACH STATEMENT EXECUTE FUNCTION disk_full()";
    sqlx::query(breaks).execute(&market.state.db).await.unwrap();

    let refused = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(503);
    assert_eq!(refused.code(), "unavailable");
    assert_eq!(refused.headers["retry-after"], "5");
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));

    sqlx::query("DROP TRIGGER full_up ON holds").execute(&market.state.db).await.unwrap();
    drop(ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201));
    assert_eq!(wallet(&ana).await, ("97.50".into(), "2.50".into()));
}

#[tokio::test]
async fn a_reply_is_kept_for_two_days_and_then_its_key_is_free() {
    let (market, _scene, ana) = market().await;
    let first = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201).text("id");
    for (hours, same) in [(47, true), (2, false)] {
        market.clock.advance(Duration::hours(hours));
        loops::retention::step(&market.state).await.unwrap();
        let ana = market.login("ana").await;
        let again = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201).text("id");
        assert_eq!(again == first, same, "{hours} hours later");
    }
}

#[tokio::test]
async fn a_bid_taken_back_returns_its_hold_at_once_and_only_once() {
    let (_market, _scene, ana) = market().await;
    let id = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201).text("id");
    let path = format!("/v1/bids/{id}/cancel");
    let cancelled = ana.post_once(&path, "c", json!({})).await.expect(200);
    assert_eq!((cancelled.text("state"), cancelled.text("hold")), ("cancelled".into(), "0.00".into()));
    assert_eq!(cancelled.body["closed_at"], "2030-01-01T00:00:00.000Z");
    assert_eq!(cancelled.body["actions"], json!([]));
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
    let again = ana.post_once(&path, "c", json!({})).await.expect(200);
    assert_eq!(again.body, cancelled.body);
    assert_eq!(ana.post_once(&path, "d", json!({})).await.expect(409).code(), "wrong_state");
    assert_eq!(ana.post(&path, json!({})).await.expect(400).code(), "idempotency_key_missing");
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}

#[tokio::test]
async fn another_tenants_bid_does_not_exist() {
    let (market, _scene, ana) = market().await;
    let bob = market.tenant("bob").await;
    let id = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201).text("id");
    assert_eq!(bob.get(&format!("/v1/bids/{id}")).await.expect(404).code(), "not_found");
    assert_eq!(bob.get(&format!("/v1/bids/{id}/explanation")).await.expect(404).code(), "not_found");
    assert_eq!(bob.post_once(&format!("/v1/bids/{id}/cancel"), "c", json!({})).await.expect(404).code(), "not_found");
    assert_eq!(bob.get("/v1/bids").await.expect(200).body["items"], json!([]));
    assert_eq!(ana.get("/v1/bids").await.expect(200).body["items"][0]["id"], json!(id));
}

#[tokio::test]
async fn limits_that_are_no_prices_are_refused_and_consume_no_key() {
    let (_market, _scene, ana) = market().await;
    let long = "9".repeat(40);
    for limit in
        ["NaN", "inf", "1e1", "-1", "-0", "0", "0.0000001", "2,5", "", " 2", "2 ", "0x2", "1_0", "٣", long.as_str()]
    {
        let answer = ana.post_once("/v1/bids", "k", bid("H100", limit)).await;
        assert_eq!((answer.status, answer.code()), (422, "invalid_value"), "{limit:?}");
        assert_eq!(answer.body["field"], "limit_per_gpu_hour", "{limit:?}");
    }
    let float = json!({"gpu": "H100", "limit_per_gpu_hour": 2.5});
    assert_eq!(ana.post_once("/v1/bids", "k", float).await.expect(422).code(), "invalid_value");
    let typo = json!({"gpu": "H100", "limit_per_gpu_hour": "2.5", "limit": "3"});
    assert_eq!(ana.post_once("/v1/bids", "k", typo).await.expect(422).code(), "unknown_field");
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
    drop(ana.post_once("/v1/bids", "k", bid("H100", "2.5")).await.expect(201));
}

#[tokio::test]
async fn what_cannot_win_or_cannot_be_is_refused_with_its_reason() {
    let (_market, _scene, ana) = market().await;
    let cap = json!({"gpu": "H100", "limit_per_gpu_hour": "1000000"});
    for (body, code, field) in [
        (cap, "bid_limit_above_cap", "limit_per_gpu_hour"),
        (bid("H100", "1.899999"), "bid_limit_below_floor", "limit_per_gpu_hour"),
        (bid("B300", "2"), "no_such_class", "gpu"),
        (bid("A100", "2"), "no_such_class", "gpu"),
        (bid("H100:24GB", "2"), "no_such_class", "gpu"),
        (bid("H100:65", "2"), "gpu_request_invalid", "gpu"),
        (bid("H100:0", "2"), "gpu_request_invalid", "gpu"),
        (bid("H100::2", "2"), "gpu_request_invalid", "gpu"),
        (
            json!({"gpu": "H100", "limit_per_gpu_hour": "2", "ends_at": "2029-12-31T23:59:59Z"}),
            "invalid_value",
            "ends_at",
        ),
        (json!({"gpu": "H100", "limit_per_gpu_hour": "2", "ends_at": "tomorrow"}), "invalid_value", "ends_at"),
        (json!({"gpu": "H100", "limit_per_gpu_hour": "2", "command": "a\u{0}b"}), "invalid_value", "command"),
        (json!({"gpu": "H100", "limit_per_gpu_hour": "2", "pool_id": "pool_1"}), "invalid_value", "pool_id"),
        (
            json!({"gpu": "H100", "limit_per_gpu_hour": "2", "pool_id": "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23"}),
            "invalid_value",
            "pool_id",
        ),
    ] {
        let answer = ana.post_once("/v1/bids", "k", body.clone()).await;
        assert_eq!((answer.status, answer.code(), &answer.body["field"]), (422, code, &json!(field)), "{body}");
    }
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}

#[tokio::test]
async fn a_bid_beyond_the_wallet_says_how_much_is_missing() {
    let (_market, _scene, ana) = market().await;
    drop(ana.post_once("/v1/bids", "k1", bid("H100:4", "20")).await.expect(201));
    let answer = ana.post_once("/v1/bids", "k2", bid("H100:2", "12.50")).await.expect(409);
    assert_eq!(answer.code(), "insufficient_funds");
    let detail = answer.text("detail");
    assert!(detail.contains("25.00 USD") && detail.contains("20.00") && detail.contains("add 5.00"), "{detail}");
    drop(ana.post_once("/v1/bids", "k2", bid("H100:2", "10")).await.expect(201));
    assert_eq!(wallet(&ana).await, ("0.00".into(), "100.00".into()));
}

#[tokio::test]
async fn a_key_places_one_bid_and_is_answered_even_when_the_market_has_changed() {
    let (market, scene, ana) = market().await;
    let first = ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201);
    let again = ana.post_once("/v1/bids", "k", bid("H100", "2.5")).await.expect(201);
    assert_eq!((&again.body, again.headers["idempotent-replay"].as_str()), (&first.body, "true"));
    assert_eq!(ana.post_once("/v1/bids", "k", bid("H100", "2.51")).await.expect(409).code(), "idempotency_key_reused");
    scene.settings("limit_cap_micros_per_hour = 2000000").await;
    market.clock.advance(Duration::seconds(5));
    assert_eq!(ana.post_once("/v1/bids", "k", bid("H100", "2.50")).await.expect(201).body, first.body);
    assert_eq!(ana.post_once("/v1/bids", "l", bid("H100", "2.50")).await.expect(422).code(), "bid_limit_above_cap");
    assert_eq!(ana.get("/v1/bids").await.expect(200).body["items"].as_array().unwrap().len(), 1);
    assert_eq!(wallet(&ana).await, ("97.50".into(), "2.50".into()));
}

#[tokio::test]
async fn nobody_is_refused_on_terms_that_have_changed_meanwhile() {
    let (_market, scene, ana) = market().await;
    assert_eq!(ana.post_once("/v1/bids", "k", bid("A100", "2")).await.expect(422).code(), "no_such_class");
    scene.node("a100-80gb", 2, "1.10", "2.00").await;
    drop(ana.post_once("/v1/bids", "k", bid("A100", "2")).await.expect(201));
}

#[tokio::test]
async fn the_state_of_a_bid_filters_the_list_and_pages_hold_together() {
    let (market, _scene, ana) = market().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        market.clock.advance(Duration::milliseconds(1));
        let placed = ana.post_once("/v1/bids", &format!("k{number}"), bid("H100", "2")).await.expect(201);
        ids.insert(0, placed.text("id"));
    }
    drop(ana.post_once(&format!("/v1/bids/{}/cancel", ids[2]), "c", json!({})).await.expect(200));
    let listed = |body: &Value| -> Vec<String> {
        let items = body["items"].as_array().unwrap();
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = ana.get("/v1/bids?limit=3").await.expect(200);
    let cursor = first.text("next_cursor");
    let second = ana.get(&format!("/v1/bids?limit=3&cursor={cursor}")).await.expect(200);
    assert_eq!([listed(&first.body), listed(&second.body)].concat(), ids);
    assert_eq!(second.body["next_cursor"], json!(null));
    assert_eq!(listed(&ana.get("/v1/bids?state=cancelled").await.expect(200).body), [ids[2].clone()]);
    assert_eq!(ana.get("/v1/bids?state=sold").await.expect(422).code(), "invalid_value");
    assert_eq!(ana.get("/v1/bids?stat=open").await.expect(422).code(), "unknown_field");
}

#[tokio::test]
async fn a_bid_ends_by_itself_and_its_hold_returns() {
    let (market, _scene, ana) = market().await;
    let body = json!({"gpu": "H100", "limit_per_gpu_hour": "2", "ends_at": "2030-01-01T00:01:00Z"});
    let path = format!("/v1/bids/{}", ana.post_once("/v1/bids", "k", body).await.expect(201).text("id"));
    expire(&market).await;
    assert_eq!(ana.get(&path).await.expect(200).text("state"), "open");
    market.clock.advance(Duration::seconds(60));
    expire(&market).await;
    let expired = ana.get(&path).await.expect(200);
    assert_eq!(
        (expired.text("state"), expired.text("closed_at")),
        ("expired".into(), "2030-01-01T00:01:00.000Z".into())
    );
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}

async fn expire(market: &TestMarket) {
    let mut tx = souk::store::Tx::begin(&market.state.db).await.unwrap();
    souk::app::expire_bids::expire_bids(&mut tx, &*market.state.entropy, market.state.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_winner_holds_what_its_price_needs_and_pays_nothing_if_taken_back_before_it_is_usable() {
    let (market, _scene, ana) = market().await;
    let id = ana.post_once("/v1/bids", "k1", bid("H100:4", "2.50")).await.expect(201).text("id");
    let path = format!("/v1/bids/{id}");
    assert_eq!(ana.get(&format!("{path}/explanation")).await.expect(404).code(), "not_found");
    loops::round::step(&market.state).await.unwrap();
    let won = ana.get(&path).await.expect(200);
    assert_eq!(won.text("state"), "allocated");
    assert_eq!(won.body["explanation"]["code"], "granted_market");
    assert_eq!(won.body["market_prices"][0]["price_per_gpu_hour"], "1.90");
    assert_eq!(won.text("hold"), "7.60", "an hour at the price; the difference to the limit is available again");
    assert_eq!(wallet(&ana).await, ("92.40".into(), "7.60".into()));
    let why = ana.get(&format!("{path}/explanation")).await.expect(200);
    assert_eq!(why.body, won.body["explanation"]);
    assert_eq!(why.body["numbers"][0], json!({"name": "gang", "value": "4", "unit": "devices"}));
    let cancelled = ana.post_once(&format!("{path}/cancel"), "c", json!({})).await.expect(200);
    assert_eq!((cancelled.text("state"), cancelled.text("hold")), ("cancelled".into(), "0.00".into()));
    assert_eq!(cancelled.body["rental_id"], won.body["rental_id"]);
    assert_eq!(wallet(&ana).await, ("100.00".into(), "0.00".into()));
}
