//! The world moves on between the plan and its application: what no longer fits is dropped, the rest is applied, and the
//! record says so. A clock that is asked for the time just before the application lets the test act at that moment.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use souk::State;
use souk::app::audit_rounds::{Range, audit_rounds};
use souk::app::settle_round::{Settled, settle_round};
use souk::clock::Clock;
use souk::config::limits;
use souk::loops::round;
use souk::records::{Cause, DropCause};
use souk::store::Tx;
use souk::store::pool_leases::{self, Leadership};
use souk_tests::{Client, Scene, TestMarket};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use time::OffsetDateTime;

type Acting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Acts on the second look at the clock: after the plan, before its application.
struct Interloper {
    clock: Arc<dyn Clock>,
    act: Box<dyn Fn() -> Acting + Send + Sync>,
    looks: AtomicUsize,
}

impl Clock for Interloper {
    fn now(&self) -> OffsetDateTime {
        if self.looks.fetch_add(1, Ordering::SeqCst) == 1 {
            let acting = (self.act)();
            let thread = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(acting);
            });
            thread.join().expect("the interloper acted");
        }
        self.clock.now()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.clock.elapsed()
    }
}

async fn leadership(state: &State) -> Leadership {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await.expect("a transaction");
    let led = pool_leases::lead(&mut tx, state.server, now, now, now + limits::LEADER_LEASE).await.expect("led");
    tx.commit().await.expect("committed");
    led[0]
}

/// Settles a round in which somebody acts at the worst moment.
async fn interrupted_by(market: &TestMarket, act: impl Fn() -> Acting + Send + Sync + 'static) -> Settled {
    let leadership = leadership(&market.state).await;
    let clock = Interloper { clock: market.state.clock.clone(), act: Box::new(act), looks: AtomicUsize::new(0) };
    let state = State { clock: Arc::new(clock), ..market.state.clone() };
    settle_round(&state, leadership, Cause::Timer).await.expect("a round")
}

/// Settles a round in which statements run at the worst moment.
async fn interrupted(market: &TestMarket, statements: &str) -> Settled {
    let database = (*market.state.db.connect_options()).clone();
    let statements = statements.to_owned();
    let act = move || -> Acting {
        let (database, statements) = (database.clone(), statements.clone());
        Box::pin(async move {
            let mut connection = database.connect().await.expect("a connection");
            connection.execute(statements.as_str()).await.expect("statements that run");
            connection.close().await.expect("closed");
        })
    };
    interrupted_by(market, act).await
}

/// Two nodes of one device each, and two bids that would get them.
async fn two_bids() -> (TestMarket, Scene) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    let ana = scene.organisation("100").await;
    scene.bid(ana, "h100-80gb", 1, "3.00").await;
    scene.bid(ana, "h100-80gb", 1, "2.00").await;
    (market, scene)
}

async fn one_is_dropped(statements: &str, because: DropCause) {
    let (market, _) = two_bids().await;
    let settled = interrupted(&market, statements).await;
    assert_eq!(settled.applied.granted.len(), 1, "the rest is applied: {:?}", settled.applied);
    assert_eq!(settled.applied.dropped.len(), 1, "{:?}", settled.applied);
    assert_eq!(settled.applied.dropped[0].because, because);
    let report = audit_rounds(&market.state.db, Range::default()).await.expect("an audit");
    assert_eq!(report.findings, []);
    let leases: i64 =
        sqlx::query_scalar("SELECT count(*) FROM leases").fetch_one(&market.state.db).await.expect("a count");
    assert_eq!(leases, 1);
}

const FIRST_BID: &str = "(SELECT id FROM bids ORDER BY id LIMIT 1)";

#[tokio::test]
async fn a_bid_cancelled_meanwhile_is_dropped() {
    one_is_dropped(
        &format!("UPDATE bids SET state = 'cancelled', closed_at = created_at WHERE id = {FIRST_BID}"),
        DropCause::DemandChanged,
    )
    .await;
}

#[tokio::test]
async fn a_device_that_broke_meanwhile_is_dropped() {
    one_is_dropped(
        "UPDATE devices SET state = 'faulty' WHERE id = (SELECT id FROM devices ORDER BY id LIMIT 1)",
        DropCause::DeviceGone,
    )
    .await;
}

#[tokio::test]
async fn a_round_that_dropped_something_is_followed_by_an_early_one() {
    let (market, scene) = two_bids().await;
    let broken = "UPDATE devices SET state = 'faulty' WHERE id = (SELECT id FROM devices ORDER BY id LIMIT 1)";
    assert_eq!(interrupted(&market, broken).await.applied.dropped.len(), 1);
    // Listed before the round, so that nothing but the drop calls for another.
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    sqlx::query("UPDATE asks SET created_at = created_at - interval '1 minute'")
        .execute(&market.state.db)
        .await
        .expect("older asks");
    market.clock.advance(time::Duration::seconds(6));
    round::step(&market.state).await.expect("a step");
    let (rounds, allocated): (i64, i64) =
        sqlx::query_as("SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM bids WHERE state = 'allocated')")
            .fetch_one(&market.state.db)
            .await
            .expect("counts");
    assert_eq!((rounds, allocated), (2, 2));
}

#[tokio::test]
async fn a_node_lost_meanwhile_is_dropped() {
    one_is_dropped(
        "UPDATE nodes SET state = 'lost' WHERE id = (SELECT id FROM nodes ORDER BY id LIMIT 1)",
        DropCause::DeviceGone,
    )
    .await;
}

#[tokio::test]
async fn an_ask_withdrawn_meanwhile_is_dropped() {
    one_is_dropped(
        "UPDATE asks SET withdrawn_at = created_at WHERE id = (SELECT id FROM asks ORDER BY id LIMIT 1)",
        DropCause::AskChanged,
    )
    .await;
}

#[tokio::test]
async fn an_ask_raised_above_the_price_meanwhile_is_dropped() {
    one_is_dropped(
        "UPDATE asks SET floor_micros_per_hour = 1900000 WHERE id = (SELECT id FROM asks ORDER BY id LIMIT 1)",
        DropCause::AskChanged,
    )
    .await;
}

#[tokio::test]
async fn money_spent_meanwhile_is_missed() {
    one_is_dropped(
        &format!("UPDATE holds SET remaining_micros = 1 WHERE subject = (SELECT 'bid_' || replace(id::text, '-', '') FROM bids WHERE id = {FIRST_BID})"),
        DropCause::FundsGone,
    )
    .await;
}

async fn person(market: &TestMarket, name: &str) -> Client {
    let operator = market.operator().await;
    let tenant = market.tenant(name).await;
    market.fund(&operator, &tenant, "1000").await;
    tenant
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_rented_meanwhile_stays_with_whoever_rented_it() {
    let (market, _) = two_bids().await;
    let ben = person(&market, "ben").await;
    let ask: String = sqlx::query_scalar("SELECT 'ask_' || replace(id::text, '-', '') FROM asks ORDER BY id LIMIT 1")
        .fetch_one(&market.state.db)
        .await
        .expect("an ask");
    let (base, token) = (ben.base().to_owned(), ben.token().expect("a token").to_owned());
    let rent = move || -> Acting {
        let ben = Client::new(&base).with_token(&token);
        let body = json!({"ask_id": ask, "devices": 1});
        Box::pin(async move { drop(ben.post_once("/v1/rentals", "key", body).await.expect(201)) })
    };
    let settled = interrupted_by(&market, rent).await;
    assert_eq!(settled.applied.granted.len(), 1);
    assert_eq!(settled.applied.dropped[0].because, DropCause::DeviceGone);
}

#[tokio::test]
async fn a_rental_that_ended_meanwhile_gets_no_notice() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.settings("min_run_seconds = 0, notice_seconds = 60, phi_ppm = 0").await;
    scene.node("h100-80gb", 1, "1.00", "2.00").await;
    let (ana, ben) = (scene.organisation("100").await, scene.organisation("100").await);
    scene.bid(ana, "h100-80gb", 1, "2.00").await;
    drop(interrupted(&market, "SELECT 1").await);
    market.clock.advance(time::Duration::seconds(60));
    scene.bid(ben, "h100-80gb", 1, "9.00").await;
    let ended = "UPDATE leases SET during = tstzrange(lower(during), lower(during) + interval '1 second');
                 UPDATE devices SET state = 'free';
                 UPDATE rentals SET state = 'ended', reason = 'tenant', ended_at = created_at + interval '1 second'";
    let settled = interrupted(&market, ended).await;
    assert_eq!(settled.applied.noticed, []);
    assert_eq!(settled.applied.dropped[0].because, DropCause::RentalChanged);
}
