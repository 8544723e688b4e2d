//! A person with a browser: sign up, bid, win, shell, stop, see the bill.
//!
//! Everything is real: the binary on its embedded PostgreSQL, an agent in a process of its own, the page in Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use souk_tests::Client;
use souk_tests::binary::{self, Process};

const PASSWORD: &str = "correct horse battery staple";

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_up_bids_wins_opens_a_shell_stops_and_sees_the_bill() {
    let frontend = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend");
    assert!(
        frontend.join("dist/index.html").exists(),
        "the page is not built: run `make test`, or `npm run build` in frontend"
    );
    let dir = Folder::create();
    let port = binary::free_port();
    let (data, port_text) = (dir.path("data"), port.to_string());
    // Rounds come fast, so that a person waits seconds.
    let serve = [
        "serve",
        "--allow-simulated",
        "--sign-up-credit",
        "100.00",
        "--round-seconds",
        "5",
        "--port",
        &port_text,
        "--data-dir",
        &data,
    ];
    let _server = Process::start(&dir.0, "server.log", &serve).expect("the server starts");
    let anyone = binary::ready(port).await;
    let operator = operator(&anyone, &data).await;
    let _agent = list_this_machine(&anyone, &operator, &dir).await;

    let email = "amina@example.org";
    let journey = tokio::task::spawn_blocking({
        let app = anyone.base().to_owned();
        move || {
            Command::new("node")
                .arg("e2e/journey.mjs")
                .current_dir(frontend)
                .env("APP", app)
                .env("EMAIL", email)
                .output()
        }
    });
    let output = journey.await.expect("the journey returns").expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));

    let rental = said.lines().find_map(|line| line.strip_prefix("bill ")).expect("the journey names its rental");
    reconcile(&log_in(&anyone, email).await, rental).await;
}

/// The bill adds up: the lines to what was charged, and the wallet to the credit less that.
async fn reconcile(person: &Client, rental: &str) {
    let charged = micros(&person.get(&format!("/v1/rentals/{rental}")).await.expect(200).body["charged"]);
    let lines = person.get(&format!("/v1/rentals/{rental}/usage")).await.expect(200).body;
    let total: i64 = lines["items"].as_array().expect("a list").iter().map(|line| micros(&line["amount"])).sum();
    assert!(charged > 0, "the shell was used for seconds that cost something");
    assert_eq!(total, charged, "{lines}");
    let wallet = person.get("/v1/wallet").await.expect(200).body;
    assert_eq!(micros(&wallet["available"]) + micros(&wallet["held"]), 100_000_000 - charged, "{wallet}");
}

async fn register(anyone: &Client, email: &str) -> Client {
    let body = json!({ "email": email, "password": PASSWORD, "display_name": email });
    let session = anyone.post("/v1/auth/register", body).await.expect(201);
    anyone.with_token(&session.text("access_token"))
}

async fn log_in(anyone: &Client, email: &str) -> Client {
    let session = anyone.post("/v1/auth/login", json!({ "email": email, "password": PASSWORD })).await.expect(200);
    anyone.with_token(&session.text("access_token"))
}

async fn operator(anyone: &Client, data: &str) -> Client {
    register(anyone, "olga@example.org").await;
    let made =
        Command::new(binary::path()).args(["admin", "--data-dir", data, "make-operator", "olga@example.org"]).output();
    let made = made.expect("the binary runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    log_in(anyone, "olga@example.org").await
}

/// Enrols an agent in a process of its own and asks a price for its one device.
async fn list_this_machine(anyone: &Client, operator: &Client, dir: &Folder) -> Process {
    let pool = anyone.get("/v1/pools").await.expect(200).body["items"][0]["id"].as_str().expect("a pool").to_owned();
    let provider = operator.post("/v1/providers", json!({ "name": "This machine" })).await.expect(201).text("id");
    let minted = operator.post(&format!("/v1/providers/{provider}/enrolment-tokens"), json!({ "pool_id": pool })).await;
    let token = minted.expect(201).text("token");
    let arguments =
        ["agent", "--server", anyone.base(), "--token", &token, "--name", "here", "--data-dir", &dir.path("agent")];
    let agent = Process::start(&dir.0, "agent.log", &arguments).expect("the agent starts");
    let node = ready_node(operator, &provider).await;
    let ask = json!({ "node_id": node["id"], "class_id": node["devices"][0]["class_id"], "price_per_gpu_hour": "0.30", "floor_per_gpu_hour": "0.10" });
    let _ = operator.post("/v1/asks", ask).await.expect(201);
    agent
}

async fn ready_node(operator: &Client, provider: &str) -> Value {
    for _ in 0..300 {
        let nodes = operator.get(&format!("/v1/providers/{provider}/nodes")).await.expect(200).body;
        if nodes["items"][0]["state"] == "ready" {
            return nodes["items"][0].clone();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the agent's node is not ready after 30 seconds");
}

fn micros(amount: &Value) -> i64 {
    let text = amount.as_str().expect("money is text");
    text.parse::<scheduler::world::money::Micros>().expect("money is exact").get()
}

/// A folder of this test, removed with it. Short, and open to the account that PostgreSQL runs under.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::env::temp_dir().join(format!("souk-e2e-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the folder's mode");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
