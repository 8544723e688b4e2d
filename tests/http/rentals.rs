//! Renting at a posted price: from the offer to the last line of the bill.

use serde_json::{Value, json};
use souk::loops;
use souk::provider::{Fault, ProviderError};
use souk_tests::supply::Supply;
use souk_tests::{Client, Response, TestMarket};
use time::Duration;

/// A market with a provider of H100s at 3.00 an hour and a tenant with a hundred.
struct Place {
    market: TestMarket,
    supply: Supply,
    nora: Client,
    ana: Client,
}

impl Place {
    async fn with_devices(devices: u32) -> Self {
        let market = TestMarket::start().await;
        let operator = market.operator().await;
        let nora = market.tenant("nora").await;
        let nora = market.lasting(&nora, &["read", "supply:write"]).await;
        let supply = market.supply(&nora, "h100-80gb", devices, "3.00", "1.00").await;
        let ana = market.tenant("ana").await;
        market.fund(&operator, &ana, "100").await;
        let ana = market.lasting(&ana, &["read", "rentals:write", "wallet:read"]).await;
        Self { market, supply, nora, ana }
    }

    fn wanted(&self, devices: u32) -> Value {
        json!({ "ask_id": self.supply.ask_id, "devices": devices })
    }

    async fn rent(&self, key: &str, devices: u32) -> Response {
        self.ana.post_once("/v1/rentals", key, self.wanted(devices)).await
    }

    async fn rented(&self, devices: u32) -> String {
        self.rent("rent", devices).await.expect(201).text("id")
    }

    /// Lets the simulated nodes boot.
    async fn provision(&self) {
        for _ in 0..8 {
            loops::provision::step(&self.market.state).await.unwrap();
            self.market.clock.advance(Duration::seconds(1));
        }
    }

    async fn see(&self, id: &str) -> Value {
        self.ana.get(&format!("/v1/rentals/{id}")).await.expect(200).body
    }

    async fn act(&self, id: &str, action: &str) -> Response {
        let key = format!("{action}-{}", self.market.state.entropy.seed());
        self.ana.post_once(&format!("/v1/rentals/{id}/{action}"), &key, Value::Null).await
    }

    async fn wallet(&self) -> (String, String) {
        let wallet = self.ana.get("/v1/wallet").await.expect(200);
        (wallet.text("available"), wallet.text("held"))
    }

    async fn devices(&self, state: &str) -> usize {
        let node = self.nora.get(&format!("/v1/nodes/{}", self.supply.node_id)).await.expect(200);
        node.body["devices"].as_array().unwrap().iter().filter(|device| device["state"] == state).count()
    }

    async fn running_workloads(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM simulated_workloads WHERE gone_at IS NULL")
            .fetch_one(&self.market.state.db)
            .await
            .unwrap()
    }
}

#[tokio::test]
async fn a_rental_is_billed_from_when_it_is_usable_until_it_ends() {
    let place = Place::with_devices(4).await;
    let rented = place.rent("k", 2).await.expect(201);
    assert_eq!(rented.body["state"], "provisioning");
    assert_eq!(rented.body["billing_class"], "free");
    assert_eq!((&rented.body["price_per_gpu_hour"], &rented.body["price_per_hour"]), (&json!("3.00"), &json!("0.00")));
    assert_eq!(rented.body["hold"], "6.00");
    assert_eq!(rented.body["devices"].as_array().unwrap().len(), 2);
    assert_eq!(rented.body["actions"], json!(["end"]));
    assert_eq!(place.wallet().await, ("94.00".into(), "6.00".into()));
    assert_eq!((place.devices("leased").await, place.devices("free").await), (2, 2));

    let id = rented.text("id");
    place.provision().await;
    let running = place.see(&id).await;
    assert_eq!((&running["state"], &running["billing_class"]), (&json!("running"), &json!("compute")));
    assert_eq!(running["price_per_hour"], "6.00");
    assert_eq!(running["actions"], json!(["stop", "end"]), "a simulated node opens no shells");
    assert!(running["runway_seconds"].as_i64().unwrap() > 3600);

    let usable_at: String = running["usable_at"].as_str().unwrap().to_owned();
    place.market.clock.advance(Duration::minutes(30));
    let ended = place.act(&id, "end").await.expect(200);
    assert_eq!((&ended.body["state"], &ended.body["reason"]), (&json!("ended"), &json!("tenant")));
    assert_eq!((&ended.body["hold"], &ended.body["devices"]), (&json!("0.00"), &json!([])));
    let usage = place.ana.get(&format!("/v1/rentals/{id}/usage")).await.expect(200);
    let interval = &usage.body["items"][0];
    assert_eq!(interval["starts_at"], json!(usable_at));
    assert_eq!(interval["ends_at"], ended.body["ended_at"]);
    let milliseconds = interval["milliseconds"].as_i64().unwrap();
    let expected = 6_000_000 * milliseconds / 3_600_000;
    assert_eq!(interval["amount"], json!(scheduler::world::Micros::new(expected).to_string()));
    assert_eq!(ended.body["charged"], interval["amount"]);
    assert_eq!(place.wallet().await.1, "0.00");
    assert_eq!(place.devices("free").await, 4);
    place.provision().await;
    assert_eq!(place.running_workloads().await, 0);
    assert_eq!(place.act(&id, "end").await.expect(409).code(), "wrong_state");
}

#[tokio::test]
async fn a_node_that_never_becomes_ready_costs_nothing_and_loses_reliability() {
    let place = Place::with_devices(1).await;
    place.market.state.providers.simulated.faults().push(Fault::NeverReady);
    let id = place.rented(1).await;
    place.provision().await;
    assert_eq!(place.see(&id).await["state"], "pulling");
    place.market.clock.advance(Duration::seconds(300));
    place.provision().await;
    let ended = place.see(&id).await;
    assert_eq!((&ended["state"], &ended["reason"]), (&json!("ended"), &json!("provisioning_timeout")));
    assert_eq!((&ended["charged"], &ended["hold"]), (&json!("0.00"), &json!("0.00")));
    assert_eq!(place.wallet().await, ("100.00".into(), "0.00".into()));
    assert_eq!((place.devices("free").await, place.running_workloads().await), (1, 0));
    let node = place.nora.get(&format!("/v1/nodes/{}", place.supply.node_id)).await.expect(200);
    assert_ne!(node.body["reliability"], "1.00");
}

#[tokio::test]
async fn a_provider_that_refuses_ends_the_rental_and_one_that_is_full_is_asked_again() {
    let place = Place::with_devices(1).await;
    let faults = place.market.state.providers.simulated.faults();
    faults.push(Fault::Refused(ProviderError::Capacity("full".to_owned())));
    let id = place.rented(1).await;
    place.provision().await;
    assert_eq!(place.see(&id).await["state"], "running");
    drop(place.act(&id, "end").await.expect(200));
    faults.push(Fault::Refused(ProviderError::Permanent("no such image".to_owned())));
    let id = place.rent("again", 1).await.expect(201).text("id");
    place.provision().await;
    let ended = place.see(&id).await;
    assert_eq!((&ended["reason"], &ended["charged"]), (&json!("start_failed"), &json!("0.00")));
}

#[tokio::test]
async fn stopping_ends_billing_at_once_and_starting_takes_devices_again() {
    let place = Place::with_devices(2).await;
    let id = place.rented(2).await;
    assert_eq!(place.act(&id, "stop").await.expect(409).code(), "wrong_state", "it is not usable yet");
    place.provision().await;
    place.market.clock.advance(Duration::minutes(10));
    let stopping = place.act(&id, "stop").await.expect(200);
    assert_eq!(
        (&stopping.body["state"], &stopping.body["billing_class"]),
        (&json!("stopping"), &json!("storage_only"))
    );
    assert_eq!((&stopping.body["price_per_hour"], &stopping.body["hold"]), (&json!("0.00"), &json!("0.00")));
    assert_eq!(place.devices("leased").await, 2, "until the node confirms");
    let charged = stopping.body["charged"].clone();
    place.provision().await;
    let stopped = place.see(&id).await;
    assert_eq!((&stopped["state"], &stopped["actions"]), (&json!("stopped"), &json!(["start", "end"])));
    assert_eq!((place.devices("free").await, place.running_workloads().await), (2, 0));
    place.market.clock.advance(Duration::hours(5));
    assert_eq!(place.see(&id).await["charged"], charged);

    let started = place.act(&id, "start").await.expect(200);
    assert_eq!((&started.body["state"], &started.body["hold"]), (&json!("provisioning"), &json!("6.00")));
    place.provision().await;
    let again = place.see(&id).await;
    assert_eq!(again["state"], "running");
    place.market.clock.advance(Duration::minutes(10));
    drop(place.act(&id, "end").await.expect(200));
    let usage = place.ana.get(&format!("/v1/rentals/{id}/usage")).await.expect(200);
    assert_eq!(usage.body["items"].as_array().unwrap().len(), 2, "nothing is billed in between");
}

#[tokio::test]
async fn what_cannot_be_had_is_refused_without_a_trace() {
    let place = Place::with_devices(2).await;
    assert_eq!(place.rent("k1", 3).await.expect(409).code(), "no_capacity");
    let poor = place.market.tenant("poor").await;
    let refused = poor.post_once("/v1/rentals", "k", place.wanted(1)).await.expect(409);
    assert_eq!(refused.code(), "insufficient_funds");
    assert_eq!(place.devices("free").await, 2, "the refused rental holds nothing");
    assert_eq!(place.wallet().await, ("100.00".into(), "0.00".into()));
    for (body, status, code) in [
        (json!({ "ask_id": "ask_00000000000000000000000000000001", "devices": 1 }), 422, "no_such_offer"),
        (json!({ "ask_id": "bid_00000000000000000000000000000001", "devices": 1 }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 0 }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 65 }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 1, "max_spend": "-1" }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 1, "max_spend": "0.00" }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 1, "max_duration_seconds": 1 }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 1, "command": "" }), 422, "invalid_value"),
        (json!({ "ask_id": place.supply.ask_id, "devices": 1, "gpus": 1 }), 422, "unknown_field"),
    ] {
        let answer = place.ana.post_once("/v1/rentals", "refused", body.clone()).await.expect(status);
        assert_eq!(answer.code(), code, "{body}");
    }
    // None of those consumed the key.
    drop(place.ana.post_once("/v1/rentals", "refused", place.wanted(1)).await.expect(201));
}

#[tokio::test]
async fn the_same_key_rents_once() {
    let place = Place::with_devices(4).await;
    let first = place.rent("k", 1).await.expect(201);
    let second = place.rent("k", 1).await.expect(201);
    assert_eq!(first.body, second.body);
    assert_eq!(second.headers.get("idempotent-replay").map(String::as_str), Some("true"));
    assert_eq!(place.rent("k", 2).await.expect(409).code(), "idempotency_key_reused");
    assert_eq!(place.devices("leased").await, 1);
    let id = first.text("id");
    let path = format!("/v1/rentals/{id}/end");
    let ended = place.ana.post_once(&path, "end", Value::Null).await.expect(200);
    assert_eq!(place.ana.post_once(&path, "end", Value::Null).await.expect(200).body, ended.body);
}

#[tokio::test]
async fn another_tenants_rental_does_not_exist() {
    let place = Place::with_devices(1).await;
    let id = place.rented(1).await;
    let eve = place.market.tenant("eve").await;
    for path in ["", "/logs", "/usage"] {
        assert_eq!(eve.get(&format!("/v1/rentals/{id}{path}")).await.expect(404).code(), "not_found");
    }
    for action in ["stop", "start", "end"] {
        let path = format!("/v1/rentals/{id}/{action}");
        assert_eq!(eve.post_once(&path, action, Value::Null).await.expect(404).code(), "not_found");
    }
    assert_eq!(eve.get("/v1/rentals").await.expect(200).body["items"], json!([]));
    assert_eq!(place.see(&id).await["state"], "provisioning");
}

#[tokio::test]
async fn rentals_are_listed_by_state_and_page_and_polled_by_tag() {
    let place = Place::with_devices(4).await;
    for key in ["a", "b", "c"] {
        drop(place.rent(key, 1).await.expect(201));
    }
    let page = place.ana.get("/v1/rentals?limit=2").await.expect(200);
    let next = page.text("next_cursor");
    let rest = place.ana.get(&format!("/v1/rentals?limit=2&cursor={next}")).await.expect(200);
    assert_eq!((page.body["items"].as_array().unwrap().len(), rest.body["items"].as_array().unwrap().len()), (2, 1));
    let id = rest.body["items"][0]["id"].as_str().unwrap().to_owned();
    drop(place.act(&id, "end").await.expect(200));
    let ended = place.ana.get("/v1/rentals?state=ended").await.expect(200);
    assert_eq!(ended.body["items"].as_array().unwrap().len(), 1);
    let live = place.ana.get("/v1/rentals?state=live").await.expect(200);
    assert_eq!(live.body["items"].as_array().unwrap().len(), 2);
    assert_eq!(place.ana.get("/v1/rentals?state=over").await.expect(422).code(), "invalid_value");

    let path = format!("/v1/rentals/{id}");
    let tag = place.ana.get(&path).await.expect(200).headers["etag"].clone();
    let again = place.ana.send(reqwest::Method::GET, &path, None, &[("If-None-Match", &tag)]).await;
    assert_eq!(again.status, 304);
}

#[tokio::test]
async fn a_withdrawn_offer_and_a_draining_node_take_nobody_new() {
    let place = Place::with_devices(2).await;
    let id = place.rented(1).await;
    drop(place.nora.post(&format!("/v1/nodes/{}/drain", place.supply.node_id), Value::Null).await.expect(200));
    assert_eq!(place.rent("drained", 1).await.expect(409).code(), "offer_over");
    drop(place.nora.post(&format!("/v1/nodes/{}/resume", place.supply.node_id), Value::Null).await.expect(200));
    drop(place.nora.post(&format!("/v1/asks/{}/withdraw", place.supply.ask_id), Value::Null).await.expect(200));
    assert_eq!(place.rent("withdrawn", 1).await.expect(409).code(), "offer_over");
    place.provision().await;
    assert_eq!(place.see(&id).await["state"], "running", "what was rented stays");
}

#[tokio::test]
async fn every_change_of_state_is_told() {
    let place = Place::with_devices(1).await;
    let id = place.rented(1).await;
    place.provision().await;
    drop(place.act(&id, "end").await.expect(200));
    let kinds: Vec<String> = sqlx::query_scalar("SELECT kind FROM events WHERE subject = $1 ORDER BY id")
        .bind(&id)
        .fetch_all(&place.market.state.db)
        .await
        .unwrap();
    assert_eq!(kinds.first().map(String::as_str), Some("rental.provisioning"));
    assert_eq!(kinds.last().map(String::as_str), Some("rental.ended"));
    for kind in ["rental.pulling", "rental.running"] {
        assert!(kinds.iter().any(|told| told == kind), "{kind} is missing in {kinds:?}");
    }
}
