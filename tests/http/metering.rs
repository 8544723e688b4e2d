//! What running costs: exact intervals, who gets what, and where money ends.

use scheduler::world::ids::RentalId;
use serde_json::{Value, json};
use souk::loops;
use souk::rental::RentalState;
use souk::store::{Tx, rentals};
use souk_tests::scene::Scene;
use souk_tests::{Client, TestMarket};
use time::Duration;
use uuid::Uuid;

/// A market with eight H100s at a floor of 2.40 and a fee of ten percent, and a tenant with money.
async fn market(credit: &str) -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.settings("fee_bps = 1000, min_run_seconds = 0, notice_seconds = 0").await;
    scene.node("h100-80gb", 8, "2.40", "3.00").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, credit).await;
    // An access token would not outlive the hours that these tests let pass.
    let key = json!({"name": "hours", "scopes": ["read", "bids:write", "wallet:read"]});
    let secret = ana.post("/v1/api-keys", key).await.expect(201).text("secret");
    let ana = market.anyone.with_token(&secret);
    (market, scene, ana)
}

async fn place(client: &Client, gpu: &str, limit: &str) -> String {
    let body = json!({"gpu": gpu, "limit_per_gpu_hour": limit});
    client.post_once("/v1/bids", &format!("{gpu}-{limit}"), body).await.expect(201).text("id")
}

/// Clears the pool and makes whatever got devices usable at once.
async fn run(market: &TestMarket) {
    loops::round::step(&market.state).await.unwrap();
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM rentals WHERE state = 'provisioning'")
        .fetch_all(&market.state.db)
        .await
        .unwrap();
    let (now, ids) = (market.state.clock.now(), ids.into_iter().map(RentalId::from).collect::<Vec<_>>());
    let mut tx = Tx::begin(&market.state.db).await.unwrap();
    let loaded = rentals::lock_all(&mut tx, &ids).await.unwrap();
    let running: Vec<_> = loaded.iter().map(|rental| (rental, RentalState::Running { usable_at: now })).collect();
    rentals::transition_all(&mut tx, &running, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn pass(market: &TestMarket, seconds: i64) {
    market.clock.advance(Duration::seconds(seconds));
    loops::metering::step(&market.state).await.unwrap();
}

async fn usage(client: &Client) -> Vec<Value> {
    let usage = client.get("/v1/usage?limit=200").await.expect(200);
    let mut items = usage.body["items"].as_array().unwrap().clone();
    items.reverse();
    items
}

async fn balance(market: &TestMarket, kind: &str) -> i64 {
    sqlx::query_scalar("SELECT coalesce(sum(balance_micros), 0)::bigint FROM accounts WHERE kind = $1")
        .bind(kind)
        .fetch_one(&market.state.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_running_gang_is_billed_in_closed_intervals_that_split_between_provider_and_platform() {
    let (market, _scene, ana) = market("100").await;
    place(&ana, "H100:4", "2.50").await;
    run(&market).await;
    pass(&market, 30).await;
    assert_eq!(usage(&ana).await.len(), 1, "the first reading is due at once: it says how long the money lasts");
    pass(&market, 30).await;
    assert_eq!(usage(&ana).await.len(), 1, "the next is due a minute later");
    pass(&market, 30).await;
    let usage = usage(&ana).await;
    assert_eq!(usage.len(), 2);
    assert_eq!(usage[0]["ends_at"], usage[1]["starts_at"]);
    assert_eq!(usage[1]["milliseconds"], 60_000);
    assert_eq!(usage[1]["devices"], 4);
    assert_eq!(usage[1]["price_per_gpu_hour"], "2.40");
    assert_eq!(usage[1]["amount"], "0.16");
    assert_eq!(balance(&market, "provider_pending").await, 216_000);
    assert_eq!(balance(&market, "platform_fee").await, 24_000);
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!(wallet.text("held"), "9.60", "the hold stays an hour ahead");
    assert_eq!(wallet.text("available"), "90.16");
    assert_eq!(wallet.text("burn_per_hour"), "9.60");
    assert_eq!(wallet.body["runway_seconds"], json!(37_410));
}

#[tokio::test]
async fn half_an_hour_of_four_devices_and_twenty_minutes_of_one_are_billed_to_the_micro() {
    let (market, _scene, ana) = market("100").await;
    let four = place(&ana, "H100:4", "2.50").await;
    run(&market).await;
    market.clock.advance(Duration::minutes(30));
    let body = ana.post_once(&format!("/v1/bids/{four}/cancel"), "c", json!({})).await.expect(200);
    assert_eq!(body.text("state"), "cancelled");
    let one = place(&ana, "H100:1", "2.50").await;
    run(&market).await;
    market.clock.advance(Duration::minutes(20));
    drop(ana.post_once(&format!("/v1/bids/{one}/cancel"), "d", json!({})).await.expect(200));
    let usage = usage(&ana).await;
    let device_milliseconds: i64 =
        usage.iter().map(|one| one["milliseconds"].as_i64().unwrap() * one["devices"].as_i64().unwrap()).sum();
    assert_eq!(device_milliseconds, 8_400_000, "2.333... device-hours");
    assert_eq!(usage.iter().map(|one| one["amount"].as_str().unwrap()).collect::<Vec<_>>(), ["4.80", "0.80"]);
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("94.40".into(), "0.00".into()));
}

#[tokio::test]
async fn fractions_of_a_micro_are_carried_and_never_lost() {
    let (market, scene, ana) = market("100").await;
    drop(scene.node("l4-24gb", 1, "0.333333", "1.00").await);
    place(&ana, "L4", "0.50").await;
    run(&market).await;
    for _ in 0..60 {
        pass(&market, 60).await;
    }
    let sum: i64 = sqlx::query_scalar("SELECT sum(amount_micros)::bigint FROM usage_intervals")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    assert_eq!(sum, 333_333);
    assert_eq!(usage(&ana).await[0]["amount"], "0.005555");
}

#[tokio::test]
async fn what_was_reported_once_stays_as_it_was_whatever_happens_to_prices() {
    let (market, scene, ana) = market("100").await;
    place(&ana, "H100:4", "9.00").await;
    run(&market).await;
    for _ in 0..3 {
        pass(&market, 60).await;
    }
    let window = "/v1/usage?from=2030-01-01T00:00:00Z&to=2030-01-01T00:03:00Z";
    let before = ana.get(window).await.expect(200).body.to_string();
    sqlx::query("UPDATE asks SET floor_micros_per_hour = 2900000 WHERE pool_id = $1")
        .bind(scene.pool.uuid())
        .execute(&market.state.db)
        .await
        .unwrap();
    loops::round::step(&market.state).await.unwrap();
    pass(&market, 120).await;
    assert_eq!(ana.get(window).await.expect(200).body.to_string(), before);
    let prices: Vec<_> = usage(&ana).await.iter().map(|one| one["price_per_gpu_hour"].clone()).collect();
    assert_eq!((prices.first(), prices.last()), (Some(&json!("2.40")), Some(&json!("2.90"))));
    let spans: Vec<_> =
        usage(&ana).await.iter().map(|one| [one["starts_at"].clone(), one["ends_at"].clone()]).collect();
    assert!(spans.windows(2).all(|pair| pair[0][1] == pair[1][0]), "no gap and no overlap: {spans:?}");
}

#[tokio::test]
async fn where_money_ends_the_rental_ends_and_nothing_is_overdrawn() {
    let (market, _scene, ana) = market("3.00").await;
    let id = place(&ana, "H100:1", "2.50").await;
    run(&market).await;
    let mut warnings = Vec::new();
    for _ in 0..80 {
        pass(&market, 60).await;
        let wallet = ana.get("/v1/wallet").await.expect(200);
        let warning = wallet.body["warning"].as_str().map(str::to_owned);
        if warnings.last() != Some(&warning) {
            warnings.push(warning);
        }
    }
    let bid = ana.get(&format!("/v1/bids/{id}")).await.expect(200);
    assert_eq!(bid.text("state"), "exhausted");
    let (reason, charged): (String, i64) =
        sqlx::query_as("SELECT reason, charged_micros FROM rentals").fetch_one(&market.state.db).await.unwrap();
    assert_eq!((reason.as_str(), charged), ("balance", 3_000_000));
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("0.00".into(), "0.00".into()));
    let warnings: Vec<_> = warnings.iter().map(|one| one.as_deref().unwrap_or("none")).collect();
    assert_eq!(warnings, ["24h", "1h", "10min", "none"]);
    let told: Vec<String> =
        sqlx::query_scalar("SELECT body->>'warning' FROM events WHERE kind = 'wallet.low' ORDER BY created_at")
            .fetch_all(&market.state.db)
            .await
            .unwrap();
    assert_eq!(told, ["24h", "1h", "10min"], "each once");
    let seconds: i64 = usage(&ana).await.iter().map(|one| one["milliseconds"].as_i64().unwrap()).sum();
    assert_eq!(seconds, 4_500_001, "an hour and a quarter, and the last instant below the next micro");
}

#[tokio::test]
async fn a_new_credit_keeps_it_running_and_takes_the_warning_back() {
    let (market, _scene, ana) = market("3.00").await;
    place(&ana, "H100:1", "2.50").await;
    run(&market).await;
    pass(&market, 3600).await;
    assert_eq!(ana.get("/v1/wallet").await.expect(200).body["warning"], "1h");
    let operator = market.login("operator").await;
    market.fund(&operator, &ana, "100").await;
    pass(&market, 3600).await;
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((&wallet.body["warning"], wallet.text("burn_per_hour")), (&json!(null), "2.40".into()));
}

#[tokio::test]
async fn an_agents_node_is_billed_to_its_last_word_and_no_further() {
    let (market, scene, ana) = market("100").await;
    place(&ana, "H100:1", "2.50").await;
    run(&market).await;
    sqlx::query("UPDATE nodes SET adapter = 'agent', heartbeat_at = $1 WHERE pool_id = $2")
        .bind(market.state.clock.now() + Duration::seconds(90))
        .bind(scene.pool.uuid())
        .execute(&market.state.db)
        .await
        .unwrap();
    pass(&market, 600).await;
    pass(&market, 600).await;
    let billed = usage(&ana).await;
    assert_eq!(billed.iter().map(|one| one["milliseconds"].as_i64().unwrap()).sum::<i64>(), 90_000);
}

/// `docs/MONEY.md` tells this story; whoever changes one changes the other.
#[tokio::test]
async fn the_worked_example_of_the_documentation_reconciles_to_the_micro() {
    let (market, scene, ana) = market("100").await;
    scene.node("l4-24gb", 2, "2.333333", "9.00").await;
    let id = place(&ana, "L4:2", "2.50").await;
    run(&market).await;
    for _ in 0..3 {
        pass(&market, 60).await;
    }
    drop(ana.post_once(&format!("/v1/bids/{id}/cancel"), "c", json!({})).await.expect(200));
    let entries = ana.get("/v1/wallet/entries?limit=200").await.expect(200);
    let mut told: Vec<_> = entries.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| ["kind", "account", "amount"].map(|field| entry[field].as_str().unwrap().to_owned()).join(" "))
        .collect();
    told.sort();
    let mut expected = [
        "credit available 100.00",
        "hold available -5.00",
        "hold held 5.00",
        "release available 0.333334",
        "release held -0.333334",
        "hold available -0.077777",
        "hold held 0.077777",
        "usage held -0.077777",
        "hold available -0.077778",
        "hold held 0.077778",
        "usage held -0.077778",
        "hold available -0.077778",
        "hold held 0.077778",
        "usage held -0.077778",
        "release available 4.666666",
        "release held -4.666666",
    ];
    expected.sort_unstable();
    assert_eq!(told, expected);
    let wallet = ana.get("/v1/wallet").await.expect(200);
    assert_eq!((wallet.text("available"), wallet.text("held")), ("99.766667".into(), "0.00".into()));
    assert_eq!(balance(&market, "provider_pending").await, 210_002);
    assert_eq!(balance(&market, "platform_fee").await, 23_331);
    assert_eq!(balance(&market, "operator_credit").await, -100_000_000 - 1);
}
