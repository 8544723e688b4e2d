//! Signing up, logging in, and what a token is good for.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use souk::app::rotate_signing_key::rotate_signing_key;
use souk::clock::Clock as _;
use souk::store::Tx;
use souk_tests::market::PASSWORD;
use souk_tests::{Response, TestMarket};
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

/// Hashing a password is what takes long. It is done for nobody, too, so that time does not tell who has an account.
#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "a test that measures time has to read it")]
async fn an_unknown_address_takes_as_long_as_a_wrong_password() {
    let market = TestMarket::start().await;
    drop(market.tenant("ana").await);
    let mut least = [std::time::Duration::MAX; 2];
    // The least of several is free of whatever else the machine does.
    for _ in 0..5 {
        for (least, who) in least.iter_mut().zip(["ana", "nobody"]) {
            let body = json!({"email": format!("{who}@example.org"), "password": "not the password"});
            let began = std::time::Instant::now();
            drop(market.anyone.post("/v1/auth/login", body).await.expect(401));
            *least = began.elapsed().min(*least);
        }
    }
    let [known, unknown] = least;
    assert!(unknown * 2 > known && known * 2 > unknown, "known {known:?}, unknown {unknown:?}");
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

#[tokio::test]
async fn a_session_goes_on_with_fresh_tokens() {
    let market = TestMarket::start().await;
    let session = register(&market, "ana").await;
    market.clock.advance(Duration::minutes(9));
    let next = refresh(&market, &session).await.expect(200);
    assert_ne!(next.text("refresh_token"), session.text("refresh_token"));
    market.clock.advance(Duration::minutes(9));
    drop(market.anyone.with_token(&next.text("access_token")).get("/v1/me").await.expect(200));
}

#[tokio::test]
async fn a_refresh_token_that_comes_back_ends_the_whole_log_in() {
    let market = TestMarket::start().await;
    let stolen = register(&market, "ana").await;
    let other_login = market.login("ana").await;
    let kept = refresh(&market, &stolen).await.expect(200);

    market.clock.advance(Duration::seconds(11));
    assert_eq!(refresh(&market, &stolen).await.expect(401).code(), "refresh_token_reused");
    assert_eq!(refresh(&market, &kept).await.expect(401).code(), "refresh_token_invalid");
    let access = market.anyone.with_token(&kept.text("access_token"));
    assert_eq!(access.get("/v1/me").await.expect(401).code(), "unauthenticated");
    drop(other_login.get("/v1/me").await.expect(200));
}

#[tokio::test]
async fn a_page_that_never_saw_its_new_tokens_gets_others() {
    let market = TestMarket::start().await;
    let session = register(&market, "ana").await;
    let lost = refresh(&market, &session).await.expect(200);
    let kept = refresh(&market, &session).await.expect(200);
    let next = refresh(&market, &kept).await.expect(200);

    assert_eq!(refresh(&market, &session).await.expect(409).code(), "refresh_raced");
    assert_eq!(refresh(&market, &lost).await.expect(409).code(), "refresh_raced");
    drop(refresh(&market, &next).await.expect(200));
}

#[tokio::test]
async fn a_log_in_never_goes_on_in_two_places() {
    let market = TestMarket::start().await;
    let session = register(&market, "ana").await;
    let thief = refresh(&market, &session).await.expect(200);
    let owner = refresh(&market, &session).await.expect(200);
    drop(refresh(&market, &thief).await.expect(200));

    market.clock.advance(Duration::seconds(11));
    assert_eq!(refresh(&market, &owner).await.expect(401).code(), "refresh_token_reused");
    drop(market.anyone.with_token(&thief.text("access_token")).get("/v1/me").await.expect(401));
}

#[tokio::test]
async fn a_refresh_token_ends_after_thirty_days() {
    let market = TestMarket::start().await;
    let session = register(&market, "ana").await;
    market.clock.advance(Duration::days(30));
    assert_eq!(refresh(&market, &session).await.expect(401).code(), "refresh_token_invalid");
}

#[tokio::test]
async fn logging_out_ends_the_session_at_once_and_twice_is_fine() {
    let market = TestMarket::start().await;
    let session = register(&market, "ana").await;
    let ana = market.anyone.with_token(&session.text("access_token"));
    for _ in 0..2 {
        let body = json!({"refresh_token": session.text("refresh_token")});
        drop(market.anyone.post("/v1/auth/logout", body).await.expect(204));
    }
    drop(ana.get("/v1/me").await.expect(401));
    drop(refresh(&market, &session).await.expect(401));
    drop(market.anyone.post("/v1/auth/logout", json!({"refresh_token": "soukr_unknown"})).await.expect(204));
}

#[tokio::test]
async fn other_servers_learn_within_seconds_that_a_session_was_ended() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    let session = register(&market, "ana").await;
    let there = replica.anyone.with_token(&session.text("access_token"));
    drop(there.get("/v1/me").await.expect(200));
    drop(
        market
            .anyone
            .post("/v1/auth/logout", json!({"refresh_token": session.text("refresh_token")}))
            .await
            .expect(204),
    );
    souk::loops::credentials::step(&replica.state).await.unwrap();
    drop(there.get("/v1/me").await.expect(401));
}

#[tokio::test]
async fn a_rotated_key_signs_and_the_old_one_still_verifies_everywhere() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    let old = market.tenant("ana").await;
    let rotate = async || {
        let mut tx = Tx::begin(&market.state.db).await.unwrap();
        let kid = rotate_signing_key(&mut tx, &*market.state.entropy, market.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        kid
    };
    market.clock.advance(Duration::seconds(2));
    let kid = rotate().await;
    souk::loops::credentials::step(&market.state).await.unwrap();
    let new = market.login("ana").await;
    assert!(header(new.token().unwrap()).contains(&kid));
    for server in [&market.anyone, &replica.anyone] {
        // The replica has not been told: it asks for a key that it does not know.
        drop(server.with_token(new.token().unwrap()).get("/v1/me").await.expect(200));
        drop(server.with_token(old.token().unwrap()).get("/v1/me").await.expect(200));
    }
    market.clock.advance(Duration::seconds(901));
    rotate().await;
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM signing_keys").fetch_one(&market.state.db).await.unwrap();
    assert_eq!(kept, 2, "the first key is gone, the second has just retired");
}

#[tokio::test]
async fn tokens_signed_by_a_key_that_is_gone_do_not_count() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    sqlx::query("UPDATE signing_keys SET kid = 'another'").execute(&market.state.db).await.unwrap();
    souk::loops::credentials::step(&market.state).await.unwrap();
    market.clock.advance(Duration::seconds(2));
    assert_eq!(ana.get("/v1/me").await.expect(401).code(), "unauthenticated");
}

#[tokio::test]
async fn two_hundred_people_can_log_in_at_once() {
    let market = TestMarket::start().await;
    drop(market.tenant("ana").await);
    let body = json!({"email": "ana@example.org", "password": PASSWORD});
    let logins = (0..200).map(|_| market.anyone.post("/v1/auth/login", body.clone()));
    let answers = futures_util::future::join_all(logins).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    drop(market.anyone.get("/v1/pools").await);
}

async fn register(market: &TestMarket, name: &str) -> Response {
    let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "display_name": name});
    market.anyone.post("/v1/auth/register", body).await.expect(201)
}

async fn refresh(market: &TestMarket, session: &Response) -> Response {
    market.anyone.post("/v1/auth/refresh", json!({"refresh_token": session.text("refresh_token")})).await
}

fn header(token: &str) -> String {
    let bytes = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    String::from_utf8(bytes).unwrap()
}
