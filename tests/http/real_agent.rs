//! A real agent with real processes and a real shell over WebSockets, against a real server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use souk::loops;
use souk_agent::{Node, Settings};
use souk_tests::{Client, TestMarket, agent};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A market whose one node is this machine. Its loops run by themselves here, and its clock with them.
struct Place {
    market: Arc<TestMarket>,
    folder: PathBuf,
    shutdown: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
    ask: String,
    ana: Client,
}

impl Place {
    async fn new() -> Self {
        let market = Arc::new(TestMarket::start().await);
        let operator = market.operator().await;
        let nora = market.tenant("nora").await;
        let folder = agent::folder(&market);
        let token = market.enrolment_token(&nora).await;
        let shutdown = CancellationToken::new();
        let (node, running) = run(&market, &folder, Some(token), &shutdown).await;
        let ticking = tokio::spawn(tick(Arc::clone(&market), shutdown.clone()));
        let path = format!("/v1/nodes/{node}");
        until("the node is ready", async || nora.get(&path).await.body["state"] == "ready").await;
        let ask = market.ask(&nora, &node, "cpu-node", "3.60").await;
        let ana = market.tenant("ana").await;
        market.fund(&operator, &ana, "100").await;
        let ana = market.lasting(&ana, &["read", "rentals:write"]).await;
        Self { market, folder, shutdown, tasks: vec![running, ticking], ask, ana }
    }

    async fn rent(&self, command: Option<&str>) -> String {
        let key = format!("rent-{}", self.market.state.entropy.seed());
        let body = json!({ "ask_id": self.ask, "devices": 1, "command": command });
        let id = self.ana.post_once("/v1/rentals", &key, body).await.expect(201).text("id");
        until("the rental runs", async || self.state(&id).await != "provisioning").await;
        until("the rental runs", async || !["pulling", "starting"].contains(&self.state(&id).await.as_str())).await;
        id
    }

    async fn see(&self, id: &str) -> Value {
        self.ana.get(&format!("/v1/rentals/{id}")).await.expect(200).body
    }

    async fn state(&self, id: &str) -> String {
        self.see(id).await["state"].as_str().unwrap().to_owned()
    }

    async fn end(&self, id: &str) {
        drop(self.ana.post_once(&format!("/v1/rentals/{id}/end"), id, Value::Null).await.expect(200));
    }

    async fn logs(&self, id: &str) -> String {
        self.ana.get(&format!("/v1/rentals/{id}/logs")).await.expect(200).text("text")
    }

    async fn ticket(&self, id: &str) -> String {
        let url = self.ana.post(&format!("/v1/rentals/{id}/shells"), Value::Null).await.expect(201).text("url");
        format!("{}{url}", self.market.anyone.base().replacen("http", "ws", 1))
    }

    fn rentals_on_disk(&self) -> usize {
        std::fs::read_dir(self.folder.join("rentals")).unwrap().count()
    }

    /// Waits for the agent to clean up, and stops it.
    async fn close(mut self) {
        until("nothing is left on the node", async || self.rentals_on_disk() == 0).await;
        self.shutdown.cancel();
        for task in self.tasks.drain(..) {
            task.await.unwrap();
        }
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

async fn run(
    market: &TestMarket,
    folder: &std::path::Path,
    token: Option<String>,
    shutdown: &CancellationToken,
) -> (String, JoinHandle<()>) {
    let server = market.anyone.base().to_owned();
    let settings = Settings { server, token, name: "this-machine".to_owned(), data_dir: folder.to_owned() };
    let node = Node::start(&settings).await.unwrap();
    let (id, shutdown) = (node.id().to_owned(), shutdown.clone());
    (id, tokio::spawn(async move { node.run(shutdown).await }))
}

async fn tick(market: Arc<TestMarket>, shutdown: CancellationToken) {
    while !shutdown.is_cancelled() {
        loops::provision::step(&market.state).await.unwrap();
        market.clock.advance(time::Duration::milliseconds(100));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..300 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("never: {what}");
}

/// Reads from a terminal until it has shown this.
async fn shown(socket: &mut Socket, wanted: &str) -> String {
    let mut text = String::new();
    let reading = async {
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Binary(bytes) = message {
                text.push_str(&String::from_utf8_lossy(&bytes));
                if text.contains(wanted) {
                    break;
                }
            }
        }
    };
    drop(tokio::time::timeout(Duration::from_secs(20), reading).await);
    assert!(text.contains(wanted), "{wanted:?} is not in {text:?}");
    text
}

async fn type_in(socket: &mut Socket, text: &str) {
    socket.send(Message::Binary(text.as_bytes().to_vec().into())).await.unwrap();
}

async fn closes(socket: &mut Socket) {
    let closing = async {
        while let Some(Ok(message)) = socket.next().await {
            if message.is_close() {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), closing).await.expect("the socket closes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_runs_on_this_machine_and_its_output_arrives() {
    let place = Place::new().await;
    let id = place.rent(Some("echo started on $SOUK_DEVICES; sleep 2; echo done")).await;
    until("the first line arrives", async || place.logs(&id).await.starts_with("started on CPU-")).await;
    until("it ends by itself", async || place.state(&id).await == "ended").await;
    let ended = place.see(&id).await;
    assert_eq!(ended["reason"], "tenant");
    assert!(place.logs(&id).await.ends_with("done\n"));
    // Two seconds at a thousandth a second, on a clock that a busy machine moves a little slower.
    let charged: f64 = ended["charged"].as_str().unwrap().parse().unwrap();
    assert!((0.0005..0.004).contains(&charged), "{charged}");
    place.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_types_into_a_shell_and_the_shell_ends_with_the_rental() {
    let place = Place::new().await;
    let id = place.rent(None).await;
    let url = place.ticket(&id).await;
    let (mut socket, _) = connect_async(&url).await.unwrap();
    type_in(&mut socket, "echo $((40 + 2)) in $SOUK_RENTAL_ID\n").await;
    shown(&mut socket, &format!("42 in {id}")).await;
    let size = json!({ "resize": { "columns": 101, "rows": 37 } });
    socket.send(Message::Text(size.to_string().into())).await.unwrap();
    type_in(&mut socket, "stty size\n").await;
    shown(&mut socket, "37 101").await;
    type_in(&mut socket, "id -u; echo who\n").await;
    let who = shown(&mut socket, "who\r\n").await;
    assert!(!who.contains("\n0\r\n"), "a tenant is root: {who:?}");

    // The address works once.
    let again = connect_async(&url).await;
    assert!(matches!(&again, Err(Error::Http(response)) if response.status() == 404), "{again:?}");

    // A second shell closes by itself; the first one with the rental.
    let (mut second, _) = connect_async(place.ticket(&id).await).await.unwrap();
    type_in(&mut second, "exit\n").await;
    closes(&mut second).await;
    place.end(&id).await;
    closes(&mut socket).await;
    place.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lot_of_text_passes_both_ways_at_once() {
    let place = Place::new().await;
    let id = place.rent(None).await;
    let (mut socket, _) = connect_async(place.ticket(&id).await).await.unwrap();
    type_in(&mut socket, "stty -echo raw; echo rea''dy; head -c 300000 | sha256sum; echo fin''ished\n").await;
    shown(&mut socket, "ready").await;
    for _ in 0..30 {
        type_in(&mut socket, &"x".repeat(10_000)).await;
    }
    let expected = "x".repeat(300_000);
    let digest: String = Sha256::digest(expected).iter().map(|byte| format!("{byte:02x}")).collect();
    shown(&mut socket, &digest).await;
    drop(socket);
    place.end(&id).await;
    place.close().await;
}

#[tokio::test]
async fn a_ticket_is_for_its_own_rental_and_for_half_a_minute() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let nora = market.tenant("nora").await;
    let supply = market.supply(&nora, "h100-80gb", 1, "3.00", "1.00").await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    let body = json!({ "ask_id": supply.ask_id, "devices": 1 });
    let id = ana.post_once("/v1/rentals", "k", body).await.expect(201).text("id");
    let path = format!("/v1/rentals/{id}/shells");
    assert_eq!(ana.post(&path, Value::Null).await.expect(409).code(), "wrong_state");
    for _ in 0..8 {
        loops::provision::step(&market.state).await.unwrap();
        market.clock.advance(time::Duration::seconds(1));
    }
    assert_eq!(
        ana.post(&path, Value::Null).await.expect(409).code(),
        "no_shell",
        "nothing runs behind a simulated node"
    );
    assert_eq!(nora.post(&path, Value::Null).await.expect(404).code(), "not_found");
    let socket = market.anyone.base().replacen("http", "ws", 1);
    let unknown = connect_async(format!("{socket}/v1/shells/unknown")).await;
    assert!(matches!(&unknown, Err(Error::Http(response)) if response.status() == 404), "{unknown:?}");
    assert_eq!(market.anyone.get("/v1/shells/unknown").await.expect(400).code(), "websocket_expected");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restarted_agent_goes_on_with_its_rentals() {
    let mut place = Place::new().await;
    let id = place.rent(Some("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i; sleep 0.5; done")).await;
    until("it prints", async || place.logs(&id).await.contains("line 1\n")).await;
    // Killed: its tasks are gone in the middle of whatever they did. The market's loops stop with it for a moment.
    for task in place.tasks.drain(..) {
        task.abort();
        drop(task.await);
    }
    let (_, running) = run(&place.market, &place.folder, None, &place.shutdown).await;
    let ticking = tokio::spawn(tick(Arc::clone(&place.market), place.shutdown.clone()));
    place.tasks = vec![running, ticking];
    until("it goes on printing", async || place.logs(&id).await.contains("line 12\n")).await;
    until("it ends", async || place.state(&id).await == "ended").await;
    assert_eq!(place.logs(&id).await.matches("line 1\n").count(), 1, "it was started once");
    place.close().await;
}
