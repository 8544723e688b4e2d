//! One refresh token, many who present it.

use serde_json::json;
use souk_tests::TestMarket;
use souk_tests::market::PASSWORD;

#[tokio::test]
async fn of_twenty_refreshes_at_once_exactly_one_wins_and_the_session_lives() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    drop(market.tenant("ana").await);
    let session = market.session("ana").await;
    let body = json!({"refresh_token": session.text("refresh_token")});
    let calls = (0..20).map(|n| {
        let server = if n % 2 == 0 { &market.anyone } else { &replica.anyone };
        server.post("/v1/auth/refresh", body.clone())
    });
    let answers = futures_util::future::join_all(calls).await;
    let winners: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(winners.len(), 1);
    assert!(answers.iter().all(|answer| answer.status == 200 || answer.code() == "refresh_raced"));
    let next = json!({"refresh_token": winners[0].text("refresh_token")});
    drop(market.anyone.post("/v1/auth/refresh", next).await.expect(200));
}

#[tokio::test]
async fn of_ten_people_with_one_address_exactly_one_registers() {
    let market = TestMarket::start().await;
    let body = json!({"email": "ana@example.org", "password": PASSWORD, "display_name": "Ana"});
    let calls = (0..10).map(|_| market.anyone.post("/v1/auth/register", body.clone()));
    let answers = futures_util::future::join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.status == 201 || answer.code() == "email_taken"));
    let counts: (i64, i64) =
        sqlx::query_as("SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM organisations)")
            .fetch_one(&market.state.db)
            .await
            .unwrap();
    assert_eq!(counts, (1, 1), "the losers left nothing behind");
}
