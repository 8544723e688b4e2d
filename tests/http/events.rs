//! Streams of events: who sees what, and that nobody misses anything.

use std::time::Duration;

use scheduler::world::ids::{OrganisationId, PoolId, ProviderId};
use serde_json::json;
use souk::State;
use souk::clock::Clock as _;
use souk::loops::{relay, retention};
use souk::store::Tx;
use souk::store::events::{NewEvent, record};
use souk_tests::{Client, TestMarket, TestRedis};
use tokio_util::sync::CancellationToken;

const SHORTLY: Duration = Duration::from_millis(200);

#[tokio::test]
async fn an_organisation_follows_its_own_events_and_nobody_elses() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let ben = market.tenant("ben").await;
    let mut anas = ana.follow("/v1/events", None).await;
    let mut bens = ben.follow("/v1/events", None).await;
    write(&market.state, &[private(&market.state, organisation(&ana).await, "bid.opened")]).await;
    relay::step(&market.state).await.unwrap();
    let arrived = anas.next().await;
    assert_eq!((arrived.id, arrived.event.as_str()), (Some(1), "bid.opened"));
    assert_eq!(arrived.data["kind"], "bid.opened");
    assert_eq!(arrived.data["subject"], "bid_1");
    assert_eq!(arrived.data["body"], json!({"secret": "of ana"}));
    assert_eq!(arrived.data["created_at"], "2030-01-01T00:00:00.000Z");
    assert!(arrived.data["id"].as_str().unwrap().starts_with("evt_"));
    assert_eq!(bens.within(SHORTLY).await, None);
    drop(market.anyone.get("/v1/events").await.expect(401));
}

#[tokio::test]
async fn a_providers_events_reach_its_organisation() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let ben = market.tenant("ben").await;
    let provider = ana.post("/v1/providers", json!({"name": "North"})).await.expect(201).text("id");
    let provider: ProviderId = provider.parse().unwrap();
    let mut live = ana.follow("/v1/events", None).await;
    let mut other = ben.follow("/v1/events", Some(0)).await;
    let event =
        |organisation| NewEvent { organisation, provider: Some(provider), ..public(&market.state, None, "node.ready") };
    // Also when the organisation is named as well, each event arrives once.
    write(&market.state, &[event(None), event(Some(organisation(&ana).await))]).await;
    relay::step(&market.state).await.unwrap();
    let mut resumed = ana.follow("/v1/events", Some(0)).await;
    for stream in [&mut live, &mut resumed] {
        assert_eq!((stream.next().await.id, stream.next().await.id), (Some(1), Some(2)));
        assert_eq!(stream.within(SHORTLY).await, None);
    }
    assert_eq!(other.within(SHORTLY).await, None);
}

#[tokio::test]
async fn a_pools_stream_is_public_and_shows_nothing_private() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let pool = pool(&market.state).await;
    let path = format!("/v1/pools/{pool}/events");
    let mut stream = market.anyone.follow(&path, Some(0)).await;
    let organisation = organisation(&ana).await;
    write(&market.state, &[private(&market.state, organisation, "bid.opened")]).await;
    write(&market.state, &[public(&market.state, Some(pool), "round.cleared")]).await;
    relay::step(&market.state).await.unwrap();
    assert_eq!(stream.next().await.event, "round.cleared");
    assert_eq!(stream.within(SHORTLY).await, None);

    let both = NewEvent { organisation: Some(organisation), ..public(&market.state, Some(pool), "bid.opened") };
    let mut tx = Tx::begin(&market.state.db).await.unwrap();
    let refused = record(&mut tx, &[both], market.clock.now()).await.unwrap_err();
    assert!(refused.violates("events_public_or_private"), "{refused:?}");
    drop(market.anyone.get("/v1/pools/pool_00000000000000000000000000000000/events").await.expect(404));
}

#[tokio::test]
async fn a_reader_that_comes_back_misses_nothing_and_sees_nothing_twice() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let organisation = organisation(&ana).await;
    let mut stream = ana.follow("/v1/events", None).await;
    let mut seen = Vec::new();
    for round in 0..3 {
        // More than one page, while nobody reads.
        let events: Vec<_> = (0..700).map(|_| private(&market.state, organisation, "bid.opened")).collect();
        write(&market.state, &events).await;
        while relay::step(&market.state).await.unwrap() == souk::loops::Step::Worked {}
        for _ in 0..350 + round {
            seen.push(stream.next().await.id.unwrap());
        }
        drop(stream);
        stream = ana.follow("/v1/events", seen.last().copied()).await;
    }
    while seen.len() < 2100 {
        seen.push(stream.next().await.id.unwrap());
    }
    assert_eq!(seen, (1..=2100).collect::<Vec<i64>>());
    assert_eq!(stream.within(SHORTLY).await, None);
}

#[tokio::test]
async fn a_reader_that_is_too_slow_for_the_buffer_still_gets_everything() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let organisation = organisation(&ana).await;
    let mut stream = ana.follow("/v1/events", None).await;
    let filler = "x".repeat(2_000);
    for _ in 0..20 {
        let event = || NewEvent { body: json!(filler), ..private(&market.state, organisation, "bid.opened") };
        write(&market.state, &(0..500).map(|_| event()).collect::<Vec<_>>()).await;
        while relay::step(&market.state).await.unwrap() == souk::loops::Step::Worked {}
    }
    for position in 1..=10_000 {
        assert_eq!(stream.next().await.id, Some(position));
    }
}

#[tokio::test]
async fn who_was_away_too_long_is_told_that_something_is_missing() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let organisation = organisation(&ana).await;
    write(&market.state, &[private(&market.state, organisation, "bid.opened")]).await;
    relay::step(&market.state).await.unwrap();
    market.clock.advance(time::Duration::days(8));
    write(&market.state, &[private(&market.state, organisation, "bid.expired")]).await;
    relay::step(&market.state).await.unwrap();
    retention::step(&market.state).await.unwrap();
    let ana = market.login("ana").await;
    let mut stream = ana.follow("/v1/events", Some(0)).await;
    assert_eq!(stream.next().await.event, "gap");
    assert_eq!((stream.next().await.id, stream.within(SHORTLY).await), (Some(2), None));
    assert_eq!(ana.follow("/v1/events", Some(1)).await.next().await.event, "bid.expired");
}

#[tokio::test]
async fn a_strange_last_event_id_is_refused_and_one_from_the_future_means_now() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    for strange in ["-1", "abc", "99999999999999999999"] {
        let headers = [("Last-Event-ID", strange)];
        let answer = ana.send(reqwest::Method::GET, "/v1/events", None, &headers).await.expect(422);
        assert_eq!(answer.body["field"], "Last-Event-ID");
    }
    let mut stream = ana.follow("/v1/events", Some(1_000)).await;
    write(&market.state, &[private(&market.state, organisation(&ana).await, "bid.opened")]).await;
    relay::step(&market.state).await.unwrap();
    assert_eq!(stream.next().await.id, Some(1));
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let mut stream = ana.follow("/v1/events", None).await;
    assert_eq!(market.state.metrics.event_readers.get(), 1);
    market.state.stopping.cancel();
    assert!(stream.ended().await);
    tokio::time::sleep(SHORTLY).await;
    assert_eq!(market.state.metrics.event_readers.get(), 0);
}

#[tokio::test]
async fn two_servers_on_one_database_both_deliver() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    let ana = market.tenant("ana").await;
    let mut here = ana.follow("/v1/events", None).await;
    let mut there = replica.anyone.with_token(ana.token().unwrap()).follow("/v1/events", None).await;
    write(&market.state, &[private(&market.state, organisation(&ana).await, "bid.opened")]).await;
    // Whoever numbers it, each server's own step hands it to its own readers.
    relay::step(&replica.state).await.unwrap();
    relay::step(&market.state).await.unwrap();
    assert_eq!((here.next().await.id, there.next().await.id), (Some(1), Some(1)));
}

#[tokio::test]
async fn redis_wakes_the_other_servers_relay() {
    let Some(redis) = TestRedis::start().await else { return };
    let url = redis.url();
    let market = TestMarket::start_with(|config| config.redis_url = Some(url)).await;
    let replica = market.replica().await;
    let shutdown = CancellationToken::new();
    let listening = {
        let (state, shutdown) = (replica.state.clone(), shutdown.clone());
        tokio::spawn(async move { souk::loops::listen_to_others(&state, &shutdown).await })
    };
    // Listening begins with a signal of its own.
    replica.state.wake.signalled(souk::loops::LoopName::Relay).await;
    let ana = market.tenant("ana").await;
    write(&market.state, &[private(&market.state, organisation(&ana).await, "bid.opened")]).await;
    relay::step(&market.state).await.unwrap();
    let woken = replica.state.wake.signalled(souk::loops::LoopName::Relay);
    tokio::time::timeout(Duration::from_secs(5), woken).await.expect("the replica's relay was woken");
    shutdown.cancel();
    listening.await.unwrap();
}

async fn write(state: &State, events: &[NewEvent]) {
    let mut tx = Tx::begin(&state.db).await.unwrap();
    record(&mut tx, events, state.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

fn private(state: &State, organisation: OrganisationId, kind: &'static str) -> NewEvent {
    let body = json!({"secret": "of ana"});
    NewEvent { organisation: Some(organisation), body, ..public(state, None, kind) }
}

fn public(state: &State, pool: Option<PoolId>, kind: &'static str) -> NewEvent {
    let (id, subject) = (state.entropy.id(state.clock.now()), "bid_1".to_owned());
    NewEvent { id, organisation: None, provider: None, pool, kind, subject, body: json!({}) }
}

async fn organisation(client: &Client) -> OrganisationId {
    client.get("/v1/me").await.expect(200).body["organisation"]["id"].as_str().unwrap().parse().unwrap()
}

async fn pool(state: &State) -> PoolId {
    let id: uuid::Uuid = sqlx::query_scalar("SELECT id FROM pools LIMIT 1").fetch_one(&state.db).await.unwrap();
    id.into()
}
