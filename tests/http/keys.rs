//! API keys and SSH keys.

use serde_json::json;
use souk_tests::TestMarket;
use time::Duration;

const ED25519: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJwt2DTk4sg7Cs+afnUBHH25eTX/z6EbRwGnooljenxf";

#[tokio::test]
async fn an_api_key_does_what_its_scopes_say() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let made = ana.post("/v1/api-keys", json!({"name": "cluster", "scopes": ["read"]})).await.expect(201);
    assert!(made.text("secret").starts_with(&made.text("prefix")) && made.text("prefix").len() == 12);
    let program = market.anyone.with_token(&made.text("secret"));
    let me = program.get("/v1/me").await.expect(200);
    assert_eq!(me.body["scopes"], json!(["read"]));
    drop(program.get("/v1/providers").await.expect(200));
    for refused in [
        program.post("/v1/providers", json!({"name": "X"})).await,
        program.post("/v1/organisations", json!({"name": "X"})).await,
        program.post("/v1/api-keys", json!({"name": "X", "scopes": ["read"]})).await,
        program.get("/v1/api-keys").await,
    ] {
        assert_eq!(refused.expect(403).code(), "forbidden");
    }
    let listed = ana.get("/v1/api-keys").await.expect(200);
    assert_eq!(listed.body["items"][0]["id"], made.body["id"]);
    assert!(listed.body["items"][0].get("secret").is_none());
}

#[tokio::test]
async fn a_revoked_key_stops_at_once_here_and_in_seconds_elsewhere() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    let ana = market.tenant("ana").await;
    let made = ana.post("/v1/api-keys", json!({"name": "cluster", "scopes": ["read"]})).await.expect(201);
    let here = market.anyone.with_token(&made.text("secret"));
    let there = replica.anyone.with_token(&made.text("secret"));
    drop(here.get("/v1/me").await.expect(200));
    drop(there.get("/v1/me").await.expect(200));

    let path = format!("/v1/api-keys/{}", made.text("id"));
    drop(market.tenant("ben").await.delete(&path).await.expect(404));
    drop(ana.delete(&path).await.expect(204));
    assert_eq!(here.get("/v1/me").await.expect(401).code(), "unauthenticated");
    market.clock.advance(Duration::seconds(5));
    drop(there.get("/v1/me").await.expect(401));
    drop(ana.delete(&path).await.expect(404));
    assert_eq!(ana.get("/v1/api-keys").await.expect(200).body["items"], json!([]));
}

#[tokio::test]
async fn a_key_ends_when_it_was_said_to() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let body = json!({"name": "short", "scopes": ["read"], "expires_at": "2030-01-01T00:00:03Z"});
    let program = market.anyone.with_token(&ana.post("/v1/api-keys", body).await.expect(201).text("secret"));
    drop(program.get("/v1/me").await.expect(200));
    market.clock.advance(Duration::seconds(3));
    drop(program.get("/v1/me").await.expect(401));
}

#[tokio::test]
async fn a_key_never_does_more_than_its_maker_may_today() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    drop(market.tenant("ben").await);
    let organisation = ana.get("/v1/me").await.expect(200).body["organisation"]["id"].as_str().unwrap().to_owned();
    let members = format!("/v1/organisations/{organisation}/members");
    let member = ana.post(&members, json!({"email": "ben@example.org", "role": "admin"})).await.expect(201);
    let session = market.session("ben").await;
    let body = json!({"refresh_token": session.text("refresh_token"), "organisation_id": organisation});
    let switched = market.anyone.post("/v1/auth/refresh", body).await.expect(200);
    let ben = market.anyone.with_token(&switched.text("access_token"));
    let made = ben.post("/v1/api-keys", json!({"name": "k", "scopes": ["read", "supply:write"]})).await.expect(201);
    let program = market.anyone.with_token(&made.text("secret"));
    drop(program.post("/v1/providers", json!({"name": "A"})).await.expect(201));

    let path = format!("{members}/{}", member.text("user_id"));
    drop(ana.patch(&path, json!({"role": "viewer"})).await.expect(200));
    market.clock.advance(Duration::seconds(5));
    drop(program.post("/v1/providers", json!({"name": "B"})).await.expect(403));
    drop(ana.delete(&path).await.expect(204));
    market.clock.advance(Duration::seconds(5));
    drop(program.get("/v1/me").await.expect(401));
}

#[tokio::test]
async fn the_last_use_of_a_key_is_noted_without_a_write_per_request() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let made = ana.post("/v1/api-keys", json!({"name": "k", "scopes": ["read"]})).await.expect(201);
    market.clock.advance(Duration::seconds(7));
    drop(market.anyone.with_token(&made.text("secret")).get("/v1/me").await.expect(200));
    assert_eq!(ana.get("/v1/api-keys").await.body["items"][0]["last_used_at"], json!(null));
    souk::loops::credentials::step(&market.state).await.unwrap();
    assert_eq!(ana.get("/v1/api-keys").await.body["items"][0]["last_used_at"], "2030-01-01T00:00:07.000Z");
}

#[tokio::test]
async fn keys_that_make_no_sense_are_refused() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    for (body, field) in [
        (json!({"name": "k", "scopes": []}), "scopes"),
        (json!({"name": " ", "scopes": ["read"]}), "name"),
        (json!({"name": "k", "scopes": ["read"], "expires_at": "2029-12-31T23:59:59Z"}), "expires_at"),
    ] {
        let answer = ana.post("/v1/api-keys", body).await.expect(422);
        assert_eq!((answer.code(), answer.body["field"].as_str()), ("invalid_value", Some(field)));
    }
    drop(ana.post("/v1/api-keys", json!({"name": "k", "scopes": ["everything"]})).await.expect(422));
    drop(ana.post("/v1/api-keys", json!({"name": "k", "scopes": ["read"], "expires_at": "soon"})).await.expect(422));
}

#[tokio::test]
async fn an_ssh_key_is_added_once_and_removed() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let body = json!({"name": "laptop", "public_key": format!("{ED25519} ana@lab\n")});
    let added = ana.post("/v1/ssh-keys", body.clone()).await.expect(201);
    assert_eq!(added.body["fingerprint"], "SHA256:Q6mvXo8CRW0cNgG/KUGPK5BIC7SlgFNoEPQFCkmLU1w");
    assert_eq!(added.body["public_key"], ED25519);
    assert_eq!(ana.post("/v1/ssh-keys", body.clone()).await.expect(409).code(), "ssh_key_exists");
    drop(market.tenant("ben").await.post("/v1/ssh-keys", body).await.expect(201));
    assert_eq!(ana.get("/v1/ssh-keys").await.expect(200).body["items"], json!([added.body]));
    let path = format!("/v1/ssh-keys/{}", added.text("id"));
    drop(market.login("ben").await.delete(&path).await.expect(404));
    drop(ana.delete(&path).await.expect(204));
    drop(ana.delete(&path).await.expect(404));
}

#[tokio::test]
async fn a_pasted_private_key_is_recognised() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let body = json!({"name": "oops", "public_key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl"});
    let answer = ana.post("/v1/ssh-keys", body).await.expect(422);
    assert_eq!((answer.code(), answer.body["field"].as_str()), ("ssh_key_invalid", Some("public_key")));
    assert!(answer.text("detail").contains("never give it away"));
}
