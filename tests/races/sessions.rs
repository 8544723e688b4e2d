//! One refresh token, many who present it.

use serde_json::json;
use souk_tests::TestMarket;
use souk_tests::market::PASSWORD;

#[tokio::test]
async fn of_twenty_refreshes_at_once_one_line_goes_on() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    drop(market.tenant("ana").await);
    let session = market.session("ana").await;
    let present = |token: String| {
        let body = json!({"refresh_token": token});
        let calls = (0..20).map(move |n| (n, body.clone()));
        let (here, there) = (&market.anyone, &replica.anyone);
        let calls = calls.map(move |(n, body)| if n % 2 == 0 { here } else { there }.post("/v1/auth/refresh", body));
        futures_util::future::join_all(calls)
    };
    let answers = present(session.text("refresh_token")).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "no successor is in use yet");

    let uses = answers
        .iter()
        .map(|answer| market.anyone.post("/v1/auth/refresh", json!({"refresh_token": answer.text("refresh_token")})));
    let uses = futures_util::future::join_all(uses).await;
    let lines: Vec<_> = uses.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(lines.len(), 1);
    assert!(uses.iter().all(|answer| answer.status == 200 || answer.code() == "refresh_raced"));
    let again = present(lines[0].text("refresh_token")).await;
    assert!(again.iter().all(|answer| answer.status == 200), "the line that was used goes on");
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
