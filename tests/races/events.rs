//! Events are numbered once each, whoever writes and whoever numbers.

use serde_json::json;
use souk::State;
use souk::loops::relay;
use souk::store::Tx;
use souk::store::events::{NewEvent, record};
use souk_tests::TestMarket;

const WRITERS: usize = 16;
const EACH: usize = 25;

#[tokio::test(flavor = "multi_thread")]
async fn two_relays_number_concurrent_events_without_gap_or_repetition() {
    let market = TestMarket::start().await;
    let replica = market.replica().await;
    drop(market.tenant("ana").await);
    let writers = (0..WRITERS).map(|writer| tokio::spawn(write_some(market.state.clone(), writer)));
    let writing = futures_util::future::join_all(writers);
    let relays = [&market.state, &replica.state].map(|state| tokio::spawn(number_all(state.clone())));
    for writer in writing.await {
        writer.unwrap();
    }
    for relay in relays {
        relay.await.unwrap();
    }
    let positions: Vec<i64> =
        sqlx::query_scalar("SELECT position FROM events ORDER BY position").fetch_all(&market.state.db).await.unwrap();
    assert_eq!(positions, (1..=400).collect::<Vec<i64>>());
    let last: i64 = sqlx::query_scalar("SELECT position FROM relay").fetch_one(&market.state.db).await.unwrap();
    assert_eq!(last, 400);
    // What one writer wrote in a row is read in that row's order.
    for writer in 0..WRITERS {
        let order: Vec<i64> =
            sqlx::query_scalar("SELECT (body->>'n')::bigint FROM events WHERE subject = $1 ORDER BY position")
                .bind(format!("writer_{writer}"))
                .fetch_all(&market.state.db)
                .await
                .unwrap();
        assert!(order.is_sorted() && order.len() == EACH, "{order:?}");
    }
    assert_eq!((market.state.feed.seen(), replica.state.feed.seen()), (400, 400));
}

async fn write_some(state: State, writer: usize) {
    for n in 0..EACH {
        let id = state.entropy.id(state.clock.now());
        let (subject, body) = (format!("writer_{writer}"), json!({ "n": n }));
        let event =
            NewEvent { id, organisation: None, provider: None, pool: None, kind: "test.written", subject, body };
        let mut tx = Tx::begin(&state.db).await.unwrap();
        record(&mut tx, &[event], state.clock.now()).await.unwrap();
        tokio::task::yield_now().await;
        tx.commit().await.unwrap();
    }
}

async fn number_all(state: State) {
    while state.feed.seen() < i64::try_from(WRITERS * EACH).unwrap() {
        relay::step(&state).await.unwrap();
        tokio::task::yield_now().await;
    }
}
