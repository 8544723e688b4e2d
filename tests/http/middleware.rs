//! What happens around every handler.

use std::io::Write;
use std::sync::{Arc, Mutex};

use reqwest::Method;
use serde_json::{Value, json};
use souk_tests::market::PASSWORD;
use souk_tests::{Client, Response, TestMarket, TestRedis};
use time::Duration;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[tokio::test]
async fn every_answer_carries_the_id_of_its_request() {
    let market = TestMarket::start().await;
    let brought = with_headers(&market.anyone, "/v1/me", &[("X-Request-Id", "my-Request_1")]).await;
    assert_eq!(brought.headers["x-request-id"], "my-Request_1");
    assert_eq!(brought.body["request_id"], "my-Request_1");
    let made = with_headers(&market.anyone, "/v1/me", &[("X-Request-Id", "not an id")]).await;
    assert_eq!(made.headers["x-request-id"].len(), 32);
    assert_eq!(made.body["request_id"], made.headers["x-request-id"].as_str());
    assert_ne!(market.anyone.get("/v1/me").await.body["request_id"], made.body["request_id"]);
}

#[tokio::test]
async fn what_no_route_matches_is_a_problem() {
    let market = TestMarket::start().await;
    let unknown = market.anyone.get("/v1/nothing").await.expect(404);
    assert_eq!((unknown.code(), unknown.headers["content-type"].as_str()), ("not_found", "application/problem+json"));
    let wrong = market.anyone.delete("/v1/me").await.expect(405);
    assert_eq!((wrong.code(), wrong.headers["allow"].as_str()), ("method_not_allowed", "GET"));
    let member = "/v1/organisations/org_1/members/usr_1";
    assert_eq!(market.anyone.get(member).await.expect(405).headers["allow"], "PATCH, DELETE");
}

#[tokio::test]
async fn data_is_not_a_document_and_is_not_kept() {
    let market = TestMarket::start().await;
    let answer = market.anyone.get("/v1/me").await;
    assert!(answer.headers["content-security-policy"].starts_with("default-src 'none'"));
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert!(!answer.headers.contains_key("strict-transport-security"));
}

#[tokio::test]
async fn what_is_still_the_same_keeps_the_policy_it_came_with() {
    let market = TestMarket::start().await;
    let owner = market.tenant("owner").await;
    let tag = owner.get("/v1/wallet").await.expect(200).headers["etag"].clone();
    let again = with_headers(&owner, "/v1/wallet", &[("If-None-Match", &tag)]).await.expect(304);
    // A browser would put the policy of this answer in the place of the one its page came with.
    assert!(!again.headers.contains_key("content-security-policy"), "{:?}", again.headers);
}

#[tokio::test]
async fn a_body_is_bounded() {
    let market = TestMarket::start().await;
    let body = json!({"email": "a".repeat(65 * 1024), "password": "x"});
    assert_eq!(market.anyone.post("/v1/auth/login", body).await.expect(413).code(), "body_too_large");
}

#[tokio::test]
async fn an_answer_is_compressed_for_those_who_can_read_it() {
    let market = TestMarket::start().await;
    let answer = with_headers(&market.anyone, "/metrics", &[("Accept-Encoding", "gzip")]).await;
    assert_eq!(answer.headers["content-encoding"], "gzip");
    assert!(!market.anyone.get("/metrics").await.headers.contains_key("content-encoding"));
}

#[tokio::test]
async fn callers_have_a_rate_each_and_are_told() {
    let market = TestMarket::start_with(|config| config.requests_per_minute = 6).await;
    let ana = market.tenant("ana").await;
    let ben = market.tenant("ben").await;
    let first = ana.get("/v1/me").await.expect(200);
    assert_eq!(first.headers["ratelimit-policy"], "\"default\";q=6;w=60");
    assert_eq!(first.headers["ratelimit"], "\"default\";r=5;t=10");
    for _ in 0..5 {
        drop(ana.get("/v1/me").await.expect(200));
    }
    let refused = ana.get("/v1/me").await.expect(429);
    assert_eq!((refused.code(), refused.headers["retry-after"].as_str()), ("rate_limited", "10"));
    assert_eq!(refused.headers["ratelimit"], "\"default\";r=0;t=60");
    drop(ben.get("/v1/me").await.expect(200));
    drop(market.anyone.get("/healthz").await.expect(200));
    market.clock.advance(Duration::seconds(10));
    drop(ana.get("/v1/me").await.expect(200));
}

#[tokio::test]
async fn passwords_are_not_guessed_quickly() {
    let market = TestMarket::start_with(|config| {
        config.logins_per_minute = 2;
        config.behind_proxy = true;
    })
    .await;
    drop(market.tenant("ana").await);
    let guess = async |email: &str, from: &str| {
        let body = json!({"email": email, "password": "a wrong guess"});
        market.anyone.send(Method::POST, "/v1/auth/login", Some(body), &[("X-Forwarded-For", from)]).await
    };
    // One person's password, from anywhere.
    for from in ["1.0.0.1", "1.0.0.2"] {
        drop(guess("ana@example.org", from).await.expect(401));
    }
    let refused = guess("ANA@example.org", "1.0.0.3").await.expect(429);
    assert_eq!((refused.code(), refused.headers["retry-after"].as_str()), ("rate_limited", "30"));
    // Anybody's password, from one place.
    for person in 0..12 {
        drop(guess(&format!("person{person}@example.org"), "1.0.0.9").await.expect(401));
    }
    drop(guess("another@example.org", "1.0.0.9").await.expect(429));
    drop(guess("another@example.org", "1.0.0.8").await.expect(401));
}

#[tokio::test]
async fn replicas_share_their_counts_through_redis_and_go_on_without_it() {
    let Some(mut redis) = TestRedis::start().await else { return };
    let url = redis.url();
    let market = TestMarket::start_with(|config| {
        config.requests_per_minute = 4;
        config.redis_url = Some(url);
    })
    .await;
    let replica = market.replica().await;
    let ana = market.tenant("ana").await;
    let there = replica.anyone.with_token(ana.token().unwrap());
    for client in [&ana, &there, &ana, &there] {
        drop(client.get("/v1/me").await.expect(200));
    }
    drop(ana.get("/v1/me").await.expect(429));
    drop(there.get("/v1/me").await.expect(429));

    redis.kill();
    // Each server counts for itself now, and answers.
    for client in [&ana, &there] {
        drop(client.get("/v1/me").await.expect(200));
    }
}

#[tokio::test]
async fn the_probes_tell_alive_from_ready() {
    let market = TestMarket::start().await;
    drop(market.anyone.get("/healthz").await.expect(200));
    drop(market.anyone.get("/readyz").await.expect(200));
    sqlx::query("DELETE FROM _sqlx_migrations WHERE version = 6").execute(&market.state.db).await.unwrap();
    let unready = market.anyone.get("/readyz").await.expect(503);
    assert!(unready.text("detail").contains("schema"));
    drop(market.anyone.get("/healthz").await.expect(200));
}

#[tokio::test]
async fn a_stopping_server_is_not_ready() {
    let market = TestMarket::start().await;
    market.state.stopping.cancel();
    drop(market.anyone.get("/readyz").await.expect(503));
}

#[tokio::test]
async fn requests_are_counted_by_template() {
    let market = TestMarket::start_with(|config| config.requests_per_minute = 2).await;
    for path in ["/v1/ssh-keys/ssh_1", "/v1/ssh-keys/ssh_2", "/nowhere"] {
        drop(market.anyone.delete(path).await);
    }
    drop(market.anyone.delete("/v1/ssh-keys/ssh_3").await.expect(429));
    let Value::String(text) = market.anyone.get("/metrics").await.expect(200).body else { panic!("text") };
    let line = |line: &str| assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    line(r#"souk_http_requests_total{method="DELETE",route="/v1/ssh-keys/{id}",status="401"} 2"#);
    line(r#"souk_http_requests_total{method="DELETE",route="unmatched",status="404"} 1"#);
    line(r#"souk_limits_reached_total{limit="anonymous"} 1"#);
    assert!(text.contains("souk_database_connections{use=\"idle\"}"));
}

#[tokio::test]
async fn no_password_and_no_token_ever_reaches_the_log() {
    let log = Log::default();
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(log.clone());
    // Everything that this server and its libraries say; the test's own HTTP client speaks for itself.
    let filter = "trace,hyper=off,hyper_util=off,reqwest=off,h2=off";
    tracing_subscriber::registry().with(layer).with(tracing_subscriber::EnvFilter::new(filter)).init();
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let session = market.session("ana").await;
    let key = ana.post("/v1/api-keys", json!({"name": "k", "scopes": ["read"]})).await.expect(201);
    drop(market.anyone.with_token(&key.text("secret")).get("/v1/me").await.expect(200));
    drop(market.anyone.with_token("souk_wrong-key-wrong-key").get("/v1/me").await.expect(401));
    let wrong = json!({"email": "ana@example.org", "password": "wrong-password-typed"});
    drop(market.anyone.post("/v1/auth/login", wrong).await.expect(401));
    let odd = json!({"email": "ana@example.org", "password": ["odd-password-typed"]});
    drop(market.anyone.post("/v1/auth/login", odd).await.expect(422));
    let refresh = json!({"refresh_token": session.text("refresh_token")});
    drop(market.anyone.post("/v1/auth/refresh", refresh.clone()).await.expect(200));
    drop(market.anyone.post("/v1/auth/refresh", refresh).await.expect(200));
    drop(market.anyone.get("/v1/shells/a-ticket-that-is-secret").await);
    drop(market.anyone.get("/v1/me?token=a-token-in-the-query").await);

    let text = log.text();
    assert!(text.contains("answered") && text.contains("/v1/auth/login"), "the log was captured:\n{text}");
    let signature = |token: &str| token.rsplit('.').next().unwrap().to_owned();
    for secret in [
        PASSWORD.to_owned(),
        "wrong-password-typed".to_owned(),
        "odd-password-typed".to_owned(),
        signature(ana.token().unwrap()),
        signature(&session.text("access_token")),
        session.text("refresh_token"),
        key.text("secret"),
        "souk_wrong-key-wrong-key".to_owned(),
        "a-ticket-that-is-secret".to_owned(),
        "a-token-in-the-query".to_owned(),
        "argon2id".to_owned(),
    ] {
        let line = text.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{secret} was logged");
    }
}

async fn with_headers(client: &Client, path: &str, headers: &[(&str, &str)]) -> Response {
    client.send(Method::GET, path, None, headers).await
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
