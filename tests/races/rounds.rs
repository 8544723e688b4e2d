//! Two servers, one pool: who clears it, and what a server that has been replaced can still do.

use souk::app::settle_round::{SettleError, settle_round};
use souk::loops::{Step, round};
use souk::records::Cause;
use souk::store::pool_leases::{self, Leadership};
use souk::store::{StoreError, Tx};
use souk::{State, config::limits};
use souk_tests::{Scene, TestMarket};
use time::Duration;

async fn rounds(state: &State) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM rounds").fetch_one(&state.db).await.expect("a count")
}

async fn leadership(state: &State) -> Leadership {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await.expect("a transaction");
    let led = pool_leases::lead(&mut tx, state.server, now, now, now + limits::LEADER_LEASE).await.expect("led");
    tx.commit().await.expect("committed");
    led[0]
}

#[tokio::test]
async fn one_of_two_servers_clears_a_pool() {
    let market = TestMarket::start().await;
    let other = market.another_server(2).await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    for _ in 0..5 {
        round::step(&market.state).await.expect("a step");
        round::step(&other).await.expect("a step");
        market.clock.advance(Duration::seconds(60));
    }
    assert_eq!(rounds(&market.state).await, 5, "each minute has one round");
    let tokens: i64 = sqlx::query_scalar("SELECT count(DISTINCT fencing_token) FROM rounds")
        .fetch_one(&market.state.db)
        .await
        .expect("a count");
    // A minute is longer than a lease: each minute whoever comes first takes the pool over, with a higher token.
    assert_eq!(tokens, 5);
}

#[tokio::test]
async fn a_pool_is_taken_over_within_two_rounds_of_its_leaders_silence() {
    let market = TestMarket::start().await;
    let other = market.another_server(2).await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    round::step(&market.state).await.expect("a step");
    market.clock.advance(Duration::seconds(9));
    assert_eq!(round::step(&other).await.expect("a step"), Step::Idle, "the leader's lease lasts");
    for _ in 0..2 {
        market.clock.advance(Duration::seconds(60));
        round::step(&other).await.expect("a step");
    }
    assert_eq!(rounds(&market.state).await, 3);
}

#[tokio::test]
async fn a_stale_fencing_token_writes_nothing() {
    let market = TestMarket::start().await;
    let other = market.another_server(2).await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 2, "1.00", "2.00").await;
    let ana = scene.organisation("100").await;
    scene.bid(ana, "h100-80gb", 1, "3.00").await;
    let stale = leadership(&market.state).await;
    market.clock.advance(Duration::seconds(11));
    let fresh = leadership(&other).await;
    assert_eq!(fresh.fencing_token, stale.fencing_token + 1);

    let refused = settle_round(&market.state, stale, Cause::Timer).await;
    assert!(matches!(refused, Err(SettleError::Superseded)), "{refused:?}");
    let rentals: i64 =
        sqlx::query_scalar("SELECT count(*) FROM rentals").fetch_one(&market.state.db).await.expect("a count");
    assert_eq!((rounds(&market.state).await, rentals), (0, 0));
    settle_round(&other, fresh, Cause::Timer).await.expect("the leader writes");
}

#[tokio::test]
async fn two_rounds_of_one_leader_at_once_become_one() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 4, "1.00", "2.00").await;
    let ana = scene.organisation("100").await;
    for _ in 0..4 {
        scene.bid(ana, "h100-80gb", 1, "3.00").await;
    }
    let leadership = leadership(&market.state).await;
    let results =
        futures_util::future::join_all((0..4).map(|_| settle_round(&market.state, leadership, Cause::Timer))).await;
    let written = results.iter().filter(|result| result.is_ok()).count();
    assert!(written >= 1, "{results:?}");
    for refused in results.into_iter().filter_map(Result::err) {
        assert!(
            matches!(&refused, SettleError::Superseded | SettleError::Store(StoreError::Stale { .. })),
            "{refused:?}"
        );
    }
    let leases: i64 = sqlx::query_scalar("SELECT count(*) FROM leases WHERE upper_inf(during)")
        .fetch_one(&market.state.db)
        .await
        .expect("a count");
    assert_eq!(leases, 4, "four devices, four gangs");
}
