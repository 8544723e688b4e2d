//! Many at once: on-demand claims on few devices, and cancellations in the middle of rounds.

use futures_util::future::join_all;
use serde_json::json;
use souk::loops::round;
use souk_tests::{Client, Scene, TestMarket};
use time::Duration;

async fn people(market: &TestMarket, count: usize) -> Vec<Client> {
    let operator = market.operator().await;
    let mut people = Vec::new();
    for number in 0..count {
        let person = market.tenant(&format!("tenant-{number}")).await;
        market.fund(&operator, &person, "10000").await;
        people.push(person);
    }
    people
}

#[tokio::test]
async fn of_200_claims_for_16_devices_16_succeed_and_the_others_are_told_cleanly() {
    let market = TestMarket::start_with(|config| config.database_connections = 20).await;
    let provider = market.tenant("provider").await;
    let supply = market.supply(&provider, "h100-80gb", 16, "2.00", "1.00").await;
    let tenants = people(&market, 8).await;
    let claims = (0..200).map(|number| {
        let tenant = tenants[number % tenants.len()].clone();
        let body = json!({"ask_id": supply.ask_id, "devices": 1});
        async move { tenant.post_once("/v1/rentals", &format!("key-{number}"), body).await }
    });
    let answers = join_all(claims).await;
    let won = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(won, 16);
    for lost in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(lost.status, 409, "{}", lost.body);
    }
    let leases: i64 = sqlx::query_scalar("SELECT count(DISTINCT device_id) FROM leases WHERE upper_inf(during)")
        .fetch_one(&market.state.db)
        .await
        .expect("a count");
    assert_eq!(leases, 16);
    let held: Vec<i64> = sqlx::query_scalar(
        "SELECT a.balance_micros - (SELECT coalesce(sum(h.remaining_micros), 0)::bigint FROM holds h WHERE h.organisation_id = a.organisation_id)
         FROM accounts a WHERE a.kind = 'tenant_held'",
    )
    .fetch_all(&market.state.db)
    .await
    .expect("balances");
    assert!(held.iter().all(|difference| *difference == 0), "losers hold nothing: {held:?}");
}

#[tokio::test]
async fn cancellations_in_the_middle_of_rounds_leave_no_bid_half_allocated() {
    let market = TestMarket::start_with(|config| config.database_connections = 20).await;
    let scene = Scene::set(&market.state).await;
    scene.settings("min_run_seconds = 0, notice_seconds = 0, phi_ppm = 0").await;
    for _ in 0..4 {
        scene.node("h100-80gb", 4, "1.00", "2.00").await;
    }
    let tenants = people(&market, 4).await;
    for wave in 0..6 {
        let mut bids = Vec::new();
        for (number, tenant) in (0..24).zip(tenants.iter().cycle()) {
            let body = json!({"gpu": "H100:1", "limit_per_gpu_hour": format!("{}.00", 2 + number % 5)});
            let bid = tenant.post_once("/v1/bids", &format!("bid-{wave}-{number}"), body).await.expect(201).text("id");
            bids.push((tenant.clone(), bid));
        }
        let cancels = bids.into_iter().enumerate().map(|(number, (tenant, bid))| async move {
            let key = format!("cancel-{wave}-{number}");
            tenant.post_once(&format!("/v1/bids/{bid}/cancel"), &key, json!({})).await
        });
        let (answers, stepped) = tokio::join!(join_all(cancels), round::step(&market.state));
        stepped.expect("the round is settled, whoever comes in between");
        for answer in answers {
            assert!(answer.status == 200 || answer.status == 409, "{}: {}", answer.status, answer.body);
        }
        market.clock.advance(Duration::seconds(60));
        let half: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM bids b WHERE (b.state IN ('allocated', 'notice')) <> EXISTS
                 (SELECT 1 FROM rentals r WHERE r.bid_id = b.id AND r.state <> 'ended')",
        )
        .fetch_one(&market.state.db)
        .await
        .expect("a count");
        assert_eq!(half, 0, "wave {wave}");
    }
    let (held, holds): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT coalesce(sum(balance_micros), 0)::bigint FROM accounts WHERE kind = 'tenant_held'),
                (SELECT coalesce(sum(remaining_micros), 0)::bigint FROM holds)",
    )
    .fetch_one(&market.state.db)
    .await
    .expect("sums");
    assert_eq!(held, holds);
}
