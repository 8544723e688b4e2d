//! Signing up, logging in, and what a token is good for.

use serde_json::json;
use souk_tests::TestMarket;
use souk_tests::market::PASSWORD;
use time::Duration;

#[tokio::test]
async fn a_new_person_owns_an_organisation_and_can_act_at_once() {
    let market = TestMarket::start().await;
    let body = json!({"email": "Ana@Example.org", "password": PASSWORD, "display_name": "Ana", "organisation_name": "Ana's lab"});
    let session = market.anyone.post("/v1/auth/register", body).await.expect(201);
    assert_eq!(session.body["token_type"], "Bearer");
    assert_eq!(session.body["expires_in_seconds"], 600);
    assert_eq!(session.body["role"], "owner");
    assert_eq!(session.body["user"]["email"], "ana@example.org");
    assert_eq!(session.body["user"]["operator"], false);
    assert_eq!(session.body["organisation"]["name"], "Ana's lab");

    let ana = market.anyone.with_token(&session.text("access_token"));
    let me = ana.get("/v1/me").await.expect(200);
    assert_eq!(me.body["user"], session.body["user"]);
    assert_eq!(me.body["organisation"], session.body["organisation"]);
    assert_eq!(me.body["scopes"], json!(null));
    let provider = ana.post("/v1/providers", json!({"name": "Campus North"})).await.expect(201);
    assert_eq!(provider.body["organisation_id"], session.body["organisation"]["id"]);
}

#[tokio::test]
async fn an_address_belongs_to_one_person() {
    let market = TestMarket::start().await;
    drop(market.tenant("ana").await);
    let body = json!({"email": "ANA@example.org", "password": PASSWORD, "display_name": "Another"});
    let answer = market.anyone.post("/v1/auth/register", body).await.expect(409);
    assert_eq!(answer.code(), "email_taken");
    assert_eq!(answer.body["field"], "email");
}

#[tokio::test]
async fn what_cannot_be_registered_names_its_field() {
    let market = TestMarket::start().await;
    let good = json!({"email": "ana@example.org", "password": PASSWORD, "display_name": "Ana"});
    for (field, value, code) in [
        ("email", json!("not an address"), "invalid_value"),
        ("password", json!("short"), "invalid_value"),
        ("display_name", json!("  "), "invalid_value"),
        ("organisation_name", json!("a\u{0}b"), "invalid_value"),
        ("is_operator", json!(true), "unknown_field"),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let answer = market.anyone.post("/v1/auth/register", body).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{field} = {value}");
        assert_eq!(answer.body["field"], field);
    }
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_the_same_answer() {
    let market = TestMarket::start().await;
    drop(market.tenant("ana").await);
    let answers = [
        json!({"email": "ana@example.org", "password": "not her password"}),
        json!({"email": "nobody@example.org", "password": PASSWORD}),
        json!({"email": "not an address", "password": PASSWORD}),
        json!({"email": "ana@example.org", "password": ""}),
    ];
    for body in answers {
        let answer = market.anyone.post("/v1/auth/login", body.clone()).await.expect(401);
        assert_eq!(answer.code(), "credentials_invalid", "{body}");
        assert_eq!(answer.body["detail"], "the email address or the password is not right");
    }
}

#[tokio::test]
async fn an_access_token_counts_for_ten_minutes() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    market.clock.advance(Duration::seconds(599));
    drop(ana.get("/v1/me").await.expect(200));
    market.clock.advance(Duration::seconds(1));
    assert_eq!(ana.get("/v1/me").await.expect(401).code(), "token_expired");
    drop(market.login("ana").await.get("/v1/me").await.expect(200));
}

#[tokio::test]
async fn a_token_that_was_tampered_with_does_not_count() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let token = ana.token().unwrap().to_owned();
    let parts: Vec<&str> = token.split('.').collect();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    for forged in [
        format!("{}.{}.", parts[0], parts[1]),
        format!("{none}.{}.", parts[1]),
        format!("{}.{}x.{}", parts[0], parts[1], parts[2]),
        format!("{}.{}.{}", parts[0], parts[1], parts[2].chars().rev().collect::<String>()),
        "Bearer".to_owned(),
        String::new(),
    ] {
        let answer = market.anyone.with_token(&forged).get("/v1/me").await.expect(401);
        assert_eq!(answer.code(), "unauthenticated", "{forged}");
    }
    assert_eq!(market.anyone.get("/v1/me").await.expect(401).code(), "unauthenticated");
}

#[tokio::test]
async fn the_owner_of_the_machine_makes_operators() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    assert_eq!(operator.get("/v1/me").await.expect(200).body["user"]["operator"], true);
}
