//! Nodes with agents: how they enrol, what they say, what they are told, and what becomes of their rentals when they fall
//! silent. The agents are scripted; real ones are in `real_agent`.

use serde_json::{Value, json};
use souk::loops;
use souk_agent::connection::ConnectionError;
use souk_agent::protocol::{Desired, Order, Report, Work, WorkloadState};
use souk_tests::agent::hardware;
use souk_tests::{Client, ScriptedAgent, TestMarket};
use time::Duration;

const T4: (&str, i64) = ("Tesla T4", 15_360);

/// A market with one node of T4s at 3.60 an hour, a thousandth a second, and a tenant with a hundred.
struct Place {
    market: TestMarket,
    agent: ScriptedAgent,
    ask: String,
    nora: Client,
    ana: Client,
}

impl Place {
    async fn with_devices(devices: i32) -> Self {
        let market = TestMarket::start().await;
        let operator = market.operator().await;
        let nora = market.tenant("nora").await;
        let nora = market.lasting(&nora, &["read", "supply:write"]).await;
        let agent = ScriptedAgent::enrol(&market, &nora, T4.0, T4.1, devices).await;
        agent.beat().await;
        let ask = market.ask(&nora, agent.id(), "t4-16gb", "3.60").await;
        let ana = market.tenant("ana").await;
        market.fund(&operator, &ana, "100").await;
        let ana = market.lasting(&ana, &["read", "rentals:write", "bids:write", "wallet:read"]).await;
        Self { market, agent, ask, nora, ana }
    }

    async fn rent(&self, body: Value) -> String {
        let mut wanted = json!({ "ask_id": self.ask, "devices": 1 });
        wanted.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let key = format!("rent-{}", self.market.state.entropy.seed());
        self.ana.post_once("/v1/rentals", &key, wanted).await.expect(201).text("id")
    }

    async fn see(&self, id: &str) -> Value {
        self.ana.get(&format!("/v1/rentals/{id}")).await.expect(200).body
    }

    async fn end(&self, id: &str) -> Value {
        self.ana.post_once(&format!("/v1/rentals/{id}/end"), &format!("end-{id}"), Value::Null).await.expect(200).body
    }

    async fn step(&self) {
        loops::provision::step(&self.market.state).await.unwrap();
    }

    async fn node(&self) -> Value {
        self.nora.get(&format!("/v1/nodes/{}", self.agent.id())).await.expect(200).body
    }

    /// A rental that its node runs.
    async fn running(&mut self, body: Value) -> (String, Order) {
        let id = self.rent(body).await;
        self.step().await;
        let order = ScriptedAgent::wanted(&self.agent.beat().await);
        assert_eq!(order.rental_id, id);
        self.agent.say(&order, WorkloadState::Running, 0).await;
        self.step().await;
        assert_eq!(self.see(&id).await["state"], "running");
        (id, order)
    }

    /// Lets time pass in which the server listens.
    async fn listen(&self, seconds: i64) {
        for _ in 0..seconds / 5 {
            self.market.clock.advance(Duration::seconds(5));
            loops::liveness::step(&self.market.state).await.unwrap();
        }
    }

    async fn charged(&self, id: &str) -> String {
        self.see(id).await["charged"].as_str().unwrap().to_owned()
    }
}

fn desired(work: &Work, order: &Order) -> Option<Desired> {
    let found = work.workloads.iter().find(|known| known.rental_id == order.rental_id && known.epoch == order.epoch);
    found.map(|known| known.desired)
}

#[tokio::test]
async fn an_enrolled_node_is_listed_with_its_devices_once_it_was_heard() {
    let market = TestMarket::start().await;
    let nora = market.tenant("nora").await;
    let agent = ScriptedAgent::enrol(&market, &nora, T4.0, T4.1, 2).await;
    let path = format!("/v1/nodes/{}", agent.id());
    let node = nora.get(&path).await.expect(200).body;
    assert_eq!(
        (&node["state"], &node["adapter"], &node["verified"]),
        (&json!("enrolling"), &json!("agent"), &json!(false))
    );
    let classes: Vec<_> = node["devices"].as_array().unwrap().iter().map(|device| device["class_id"].clone()).collect();
    assert_eq!(classes, [json!("t4-16gb"), json!("t4-16gb")]);
    let work = agent.beat().await;
    assert_eq!((work.workloads.len(), work.shells.len()), (0, 0));
    let node = nora.get(&path).await.expect(200).body;
    assert_eq!((&node["state"], &node["heartbeat_at"]), (&json!("ready"), &json!("2030-01-01T00:00:00.000Z")));
}

#[tokio::test]
async fn an_enrolment_token_adds_one_node_and_the_same_node_may_come_again() {
    let market = TestMarket::start().await;
    let nora = market.tenant("nora").await;
    let token = market.enrolment_token(&nora).await;
    let what = hardware(T4.0, T4.1, 1);
    let first = ScriptedAgent::with_token(&market, &token, &what).await.unwrap();
    let refused = ScriptedAgent::with_token(&market, &token, &what).await;
    assert!(matches!(refused, Err(ConnectionError::Refused { status: 401, .. })), "{refused:?}");

    // The answer to the first call got lost: the same key asks again.
    let body = json!({"token": token, "name": "again", "public_key": first.public_key(), "hardware": json_of(&what)});
    let again = market.anyone.post("/v1/agent/enrol", body).await.expect(201);
    assert_eq!(again.text("node_id"), first.id());

    let expired = market.enrolment_token(&nora).await;
    market.clock.advance(Duration::hours(25));
    let late = ScriptedAgent::with_token(&market, &expired, &what).await;
    assert!(matches!(late, Err(ConnectionError::Refused { status: 401, .. })), "{late:?}");
}

fn json_of(hardware: &souk_agent::protocol::Hardware) -> Value {
    serde_json::to_value(hardware).unwrap()
}

#[tokio::test]
async fn nobody_else_is_taken_for_a_node_and_a_node_for_nobody_else() {
    let place = Place::with_devices(1).await;
    let anyone = &place.market.anyone;
    let at = anyone.get("/v1/agent/time").await.expect(200).text("at");
    let forged = json!({"node_id": place.agent.id(), "at": at, "signature": "A".repeat(86) + "=="});
    assert_eq!(anyone.post("/v1/agent/token", forged).await.expect(401).code(), "unauthenticated");
    for (old, status) in [("2029-12-31T23:58:00.000Z", 401), ("tomorrow", 422)] {
        let body = json!({"node_id": place.agent.id(), "at": old, "signature": place.agent.sign(old)});
        drop(anyone.post("/v1/agent/token", body).await.expect(status));
    }
    let body = json!({"node_id": place.agent.id(), "at": at, "signature": place.agent.sign(&at)});
    let token = anyone.post("/v1/agent/token", body).await.expect(200).text("token");
    let node = anyone.with_token(&token);
    let heartbeat = json!({"workloads": []});
    drop(node.post("/v1/agent/heartbeat", heartbeat.clone()).await.expect(200));
    assert_eq!(node.get("/v1/rentals").await.expect(401).code(), "unauthenticated");
    for person in [&place.ana, &place.nora, anyone] {
        assert_eq!(person.post("/v1/agent/heartbeat", heartbeat.clone()).await.expect(401).code(), "unauthenticated");
        drop(person.get("/v1/agent/work").await.expect(401));
    }
    place.market.clock.advance(Duration::minutes(16));
    drop(node.post("/v1/agent/heartbeat", heartbeat).await.expect(401));
}

#[tokio::test]
async fn a_rental_follows_what_its_node_says_and_is_billed_by_the_servers_clock() {
    let mut place = Place::with_devices(1).await;
    let id = place.rent(json!({ "command": "train" })).await;
    place.step().await;
    let order = ScriptedAgent::wanted(&place.agent.beat().await);
    assert_eq!((order.command.as_deref(), order.devices.as_slice()), (Some("train"), &["GPU-0".to_owned()][..]));
    for (said, state) in [
        (WorkloadState::Pulling, "pulling"),
        (WorkloadState::Starting, "starting"),
        (WorkloadState::Running, "running"),
        // A report that was overtaken by a later one takes nothing back.
        (WorkloadState::Starting, "running"),
    ] {
        place.agent.say(&order, said, 0).await;
        place.step().await;
        assert_eq!(place.see(&id).await["state"], state);
    }
    // Whatever the node's clock says: an hour of use is claimed after ten seconds.
    place.market.clock.advance(Duration::seconds(10));
    place.agent.say(&order, WorkloadState::Running, 3_600_000).await;
    assert_eq!(place.end(&id).await["charged"], "0.01");
    let work = place.agent.beat().await;
    assert_eq!(desired(&work, &order), Some(Desired::Gone));
    place.agent.workloads.clear();
    for _ in 0..2 {
        place.agent.beat().await;
        place.market.clock.advance(Duration::seconds(1));
        place.step().await;
    }
    assert_eq!(place.agent.beat().await.workloads, [], "once it is gone for certain, nobody speaks of it");
}

#[tokio::test]
async fn a_command_that_finishes_ends_its_rental_billed_for_what_it_used() {
    let mut place = Place::with_devices(1).await;
    let (id, order) = place.running(json!({ "command": "train" })).await;
    // It ran for seven seconds; the report comes three seconds later.
    place.market.clock.advance(Duration::seconds(10));
    place.agent.workloads.clear();
    place.agent.workloads.push(Report {
        rental_id: order.rental_id.clone(),
        epoch: order.epoch,
        state: WorkloadState::Exited,
        exit_code: Some(1),
        message: None,
        log_tail: Some("epoch 1\nNaN\n\u{0}".to_owned()),
        usable_milliseconds_total: 7_000,
    });
    place.agent.beat().await;
    place.step().await;
    let ended = place.see(&id).await;
    assert_eq!(
        (&ended["state"], &ended["reason"], &ended["charged"]),
        (&json!("ended"), &json!("tenant"), &json!("0.007"))
    );
    let logs = place.ana.get(&format!("/v1/rentals/{id}/logs")).await.expect(200).body;
    assert_eq!(logs, json!({ "text": "epoch 1\nNaN\n\u{FFFD}", "truncated": false }));
}

#[tokio::test]
async fn a_command_that_is_over_before_it_was_seen_is_billed_all_the_same() {
    let mut place = Place::with_devices(1).await;
    let id = place.rent(json!({ "command": "true" })).await;
    place.step().await;
    let order = ScriptedAgent::wanted(&place.agent.beat().await);
    place.market.clock.advance(Duration::seconds(5));
    place.agent.say(&order, WorkloadState::Exited, 2_000).await;
    place.step().await;
    let ended = place.see(&id).await;
    assert_eq!((&ended["state"], &ended["charged"]), (&json!("ended"), &json!("0.002")));
    // One that could not start is not.
    let id = place.rent(json!({ "command": "no-such-program" })).await;
    place.step().await;
    place.agent.workloads.clear();
    let order = ScriptedAgent::wanted(&place.agent.beat().await);
    place.agent.say(&order, WorkloadState::Failed, 0).await;
    place.step().await;
    let failed = place.see(&id).await;
    assert_eq!((&failed["reason"], &failed["charged"]), (&json!("start_failed"), &json!("0.00")));
}

#[tokio::test]
async fn a_silent_node_is_lost_and_its_rentals_are_billed_to_its_last_word() {
    let mut place = Place::with_devices(1).await;
    loops::liveness::step(&place.market.state).await.unwrap();
    let (id, order) = place.running(json!({})).await;
    place.listen(30).await;
    place.agent.say(&order, WorkloadState::Running, 30_000).await;
    place.listen(60).await;
    assert_eq!(place.see(&id).await["state"], "running", "a minute of silence is allowed");
    place.listen(5).await;
    let ended = place.see(&id).await;
    assert_eq!((&ended["state"], &ended["reason"]), (&json!("ended"), &json!("node_lost")));
    assert_eq!(ended["charged"], "0.03", "thirty seconds, not ninety-five");
    let node = place.node().await;
    assert_eq!((&node["state"], &node["devices"][0]["state"]), (&json!("lost"), &json!("free")));
    let refused = place.ana.post_once("/v1/rentals", "lost", json!({"ask_id": place.ask, "devices": 1})).await;
    assert_eq!(refused.expect(409).code(), "offer_over");

    // It comes back, still running what is over: it is told so before anything else.
    let work = place.agent.beat().await;
    assert_eq!(desired(&work, &order), Some(Desired::Gone));
    assert_eq!(place.node().await["state"], "ready");
    assert_eq!(place.charged(&id).await, "0.03");
}

#[tokio::test]
async fn an_outage_of_the_server_is_nobodys_silence() {
    let mut place = Place::with_devices(1).await;
    loops::liveness::step(&place.market.state).await.unwrap();
    let (id, _) = place.running(json!({})).await;
    // The server, or its database, is away for an hour; then it looks before the node can speak.
    place.market.clock.advance(Duration::hours(1));
    place.listen(60).await;
    assert_eq!((&place.see(&id).await["state"], &place.node().await["state"]), (&json!("running"), &json!("ready")));
    // Only what it then listened to counts.
    place.listen(10).await;
    assert_eq!(place.see(&id).await["reason"], "node_lost");
    assert_eq!(place.charged(&id).await, "0.00", "its last word was at the very beginning");
}

#[tokio::test]
async fn a_bid_that_asked_to_goes_back_to_the_book_when_its_node_is_lost() {
    let place = Place::with_devices(1).await;
    loops::liveness::step(&place.market.state).await.unwrap();
    let bid = place.ana.post_once("/v1/bids", "bid", json!({"gpu": "T4:1", "limit_per_gpu_hour": "1.00"})).await;
    let bid = bid.expect(201).text("id");
    loops::round::step(&place.market.state).await.unwrap();
    let allocated = place.ana.get(&format!("/v1/bids/{bid}")).await.expect(200).body;
    assert_eq!(allocated["state"], "allocated", "{allocated}");
    place.listen(65).await;
    let back = place.ana.get(&format!("/v1/bids/{bid}")).await.expect(200).body;
    assert_eq!((&back["state"], &back["rental_id"]), (&json!("open"), &Value::Null));
    let rental = allocated["rental_id"].as_str().unwrap();
    assert_eq!(place.see(rental).await["reason"], "node_lost");
}

#[tokio::test]
async fn an_old_epoch_writes_nothing_and_strangers_are_told_to_go() {
    let mut place = Place::with_devices(1).await;
    let (id, first) = place.running(json!({})).await;
    let stop = format!("/v1/rentals/{id}/stop");
    drop(place.ana.post_once(&stop, "stop", Value::Null).await.expect(200));
    place.agent.workloads.clear();
    for _ in 0..3 {
        place.agent.beat().await;
        place.market.clock.advance(Duration::seconds(1));
        place.step().await;
    }
    assert_eq!(place.see(&id).await["state"], "stopped");
    drop(place.ana.post_once(&format!("/v1/rentals/{id}/start"), "start", Value::Null).await.expect(200));
    place.step().await;
    let second = ScriptedAgent::wanted(&place.agent.beat().await);
    assert_eq!((second.epoch, second.rental_id.as_str()), (first.epoch + 1, id.as_str()));
    // What the node still says about the first placement is about nothing that lives.
    let work = place.agent.say(&first, WorkloadState::Running, 1).await;
    place.step().await;
    assert_eq!(place.see(&id).await["state"], "provisioning");
    assert_eq!((desired(&work, &first), desired(&work, &second)), (Some(Desired::Gone), Some(Desired::Running)));
    let stranger = Order { rental_id: "rnt_00000000000000000000000000000001".to_owned(), ..second };
    let work = place.agent.say(&stranger, WorkloadState::Running, 1).await;
    assert_eq!(desired(&work, &stranger), Some(Desired::Gone));
}

#[tokio::test]
async fn a_workload_that_vanishes_from_its_node_ends_its_rental() {
    let mut place = Place::with_devices(1).await;
    let (id, _) = place.running(json!({})).await;
    place.market.clock.advance(Duration::seconds(20));
    place.agent.workloads.clear();
    place.agent.beat().await;
    place.step().await;
    assert_eq!(place.see(&id).await["state"], "running", "once may be a mistake");
    place.agent.beat().await;
    place.step().await;
    let ended = place.see(&id).await;
    assert_eq!((&ended["reason"], &ended["charged"]), (&json!("node_lost"), &json!("0.00")));
}

#[tokio::test]
async fn news_arrives_as_soon_as_there_is_any() {
    let place = Place::with_devices(1).await;
    let known = place.agent.connection.news("").await.unwrap();
    assert!(known.workloads.is_empty());
    let (news, id) = tokio::join!(place.agent.connection.news(&known.known), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let id = place.rent(json!({})).await;
        place.step().await;
        id
    });
    assert_eq!(ScriptedAgent::wanted(&news.unwrap()).rental_id, id);
}

#[tokio::test]
async fn reports_that_make_no_sense_are_refused_whole() {
    let mut place = Place::with_devices(1).await;
    let (id, order) = place.running(json!({})).await;
    let at = place.market.anyone.get("/v1/agent/time").await.expect(200).text("at");
    let body = json!({"node_id": place.agent.id(), "at": at, "signature": place.agent.sign(&at)});
    let token = place.market.anyone.post("/v1/agent/token", body).await.expect(200).text("token");
    let node = place.market.anyone.with_token(&token);
    let good = json!({"rental_id": order.rental_id, "epoch": 1, "state": "exited", "usable_milliseconds_total": 5});
    for (field, value) in [
        ("state", json!("gone")),
        ("state", json!("unseen")),
        ("epoch", json!(0)),
        ("usable_milliseconds_total", json!(-1)),
        ("rental_id", json!("bid_1")),
        ("charge", json!("1000")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        drop(node.post("/v1/agent/heartbeat", json!({"workloads": [good, bad]})).await.expect(422));
    }
    let many: Vec<_> = (0..257).map(|_| good.clone()).collect();
    drop(node.post("/v1/agent/heartbeat", json!({"workloads": many})).await.expect(422));
    place.step().await;
    assert_eq!(place.see(&id).await["state"], "running");
}
