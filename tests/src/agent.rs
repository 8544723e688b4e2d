//! A scripted agent: it speaks the real protocol with the real agent's own code, and says what the test tells it to.

use std::path::{Path, PathBuf};

use serde_json::json;
use souk_agent::connection::{Connection, ConnectionError};
use souk_agent::identity::Identity;
use souk_agent::protocol::{Desired, Device, Hardware, Heartbeat, Order, Report, Work, WorkloadState};

use crate::client::Client;
use crate::market::TestMarket;

/// An enrolled node that does nothing by itself.
#[derive(Debug)]
pub struct ScriptedAgent {
    /// Its line to the server.
    pub connection: Connection,
    /// What it last said.
    pub workloads: Vec<Report>,
    folder: PathBuf,
}

impl ScriptedAgent {
    /// Enrols a node with so many devices of a model.
    pub async fn enrol(market: &TestMarket, provider: &Client, model: &str, memory_mib: i64, devices: i32) -> Self {
        let token = market.enrolment_token(provider).await;
        let hardware = hardware(model, memory_mib, devices);
        Self::with_token(market, &token, &hardware).await.expect("the node enrols")
    }

    /// Enrols a node with a token.
    pub async fn with_token(market: &TestMarket, token: &str, hardware: &Hardware) -> Result<Self, ConnectionError> {
        let folder = crate::agent::folder(market);
        let connection = Self::connect(market, &folder, Some(token), hardware).await?;
        Ok(Self { connection, workloads: Vec::new(), folder })
    }

    async fn connect(
        market: &TestMarket,
        folder: &Path,
        token: Option<&str>,
        hardware: &Hardware,
    ) -> Result<Connection, ConnectionError> {
        let identity = Identity::load(folder)?;
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a name");
        Connection::open(market.anyone.base(), identity, name, token, hardware).await
    }

    /// Its public key, in base64.
    #[must_use]
    pub fn public_key(&self) -> String {
        self.connection.identity().public_key()
    }

    /// Its signature under a time.
    #[must_use]
    pub fn sign(&self, at: &str) -> String {
        self.connection.identity().sign_for_token(self.id(), at)
    }

    /// The node's id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.connection.node_id()
    }

    /// Says how everything fares.
    pub async fn beat(&self) -> Work {
        self.connection.heartbeat(&Heartbeat { workloads: self.workloads.clone() }).await.expect("it is heard")
    }

    /// Says that the workload of an order is in this state, having been usable for so long.
    pub async fn say(&mut self, order: &Order, state: WorkloadState, usable_milliseconds_total: i64) -> Work {
        self.workloads.retain(|report| report.rental_id != order.rental_id);
        self.workloads.push(Report {
            rental_id: order.rental_id.clone(),
            epoch: order.epoch,
            state,
            exit_code: None,
            message: None,
            log_tail: None,
            usable_milliseconds_total,
        });
        self.beat().await
    }

    /// The one order for a running workload.
    #[track_caller]
    #[must_use]
    pub fn wanted(work: &Work) -> Order {
        let wanted: Vec<_> = work.workloads.iter().filter(|order| order.desired == Desired::Running).collect();
        assert_eq!(wanted.len(), 1, "{work:?}");
        wanted[0].clone()
    }
}

impl Drop for ScriptedAgent {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// What a node with devices of one model says it has.
#[must_use]
pub fn hardware(model: &str, memory_mib: i64, devices: i32) -> Hardware {
    let device = |slot| Device { uuid: format!("GPU-{slot}"), slot, model: model.to_owned(), memory_mib };
    Hardware {
        cpu_milli: 8000,
        memory_mib: 65_536,
        driver: None,
        cuda_max: None,
        devices: (0..devices).map(device).collect(),
    }
}

/// A new folder for an agent's files.
#[must_use]
pub fn folder(market: &TestMarket) -> PathBuf {
    let base = PathBuf::from("/dev/shm");
    let base = if base.is_dir() { base } else { std::env::temp_dir() };
    base.join(format!("souk-test-agent-{}-{}", std::process::id(), market.state.entropy.seed()))
}

impl TestMarket {
    /// A one-use token for a node of the caller's provider (created on first use) in the first pool.
    pub async fn enrolment_token(&self, provider: &Client) -> String {
        let (id, pool) = (self.provider_of(provider).await, self.pool_id().await);
        let path = format!("/v1/providers/{id}/enrolment-tokens");
        provider.post(&path, json!({ "pool_id": pool })).await.expect(201).text("token")
    }

    /// Asks a price for devices of a class on a node.
    pub async fn ask(&self, provider: &Client, node: &str, class: &str, price: &str) -> String {
        let body =
            json!({ "node_id": node, "class_id": class, "price_per_gpu_hour": price, "floor_per_gpu_hour": "0.10" });
        provider.post("/v1/asks", body).await.expect(201).text("id")
    }
}
