//! What a node should run, on the wire.

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::hear_node::Told;
use crate::clock::to_at;
use crate::config::limits;
use crate::rental::ClientToken;
use crate::shells::WaitingShell;
use crate::store::workloads::Desired;

/// What a node should run: the whole truth, every time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Work)]
pub struct WorkView {
    /// The server's time, in milliseconds since 1970. An answer that is older than one that was followed is not followed.
    #[schema(example = 1_769_860_800_000_i64)]
    at_milliseconds: i64,
    /// A name for this content: `GET /v1/agent/work?known=` waits until it is another.
    #[schema(example = "9f86d081884c7d65")]
    pub known: String,
    /// Everything that should run, or be gone. What is not mentioned keeps running until its lease lapses.
    workloads: Vec<WorkloadView>,
    /// Shells that wait for this node.
    shells: Vec<ShellView>,
}

/// A workload that should run, or be gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Workload)]
pub struct WorkloadView {
    /// For which rental.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    rental_id: String,
    /// Which placement of it: an older one is over.
    epoch: i64,
    /// `running` or `gone`.
    #[schema(example = "running")]
    desired: &'static str,
    /// What to run; null when only shells are opened.
    command: Option<String>,
    /// On which devices.
    devices: Vec<String>,
    /// Added to its environment.
    environment: Vec<VariableView>,
    /// How long it may run without another word from the server.
    #[schema(example = 600)]
    expires_in_seconds: u64,
}

/// A variable of an environment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Variable)]
pub struct VariableView {
    /// Its name.
    name: String,
    /// Its value.
    value: String,
}

/// A shell that waits for the node.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WaitingShell)]
pub struct ShellView {
    /// Under which id to dial.
    id: String,
    /// In which rental.
    rental_id: String,
}

impl WorkView {
    /// What the node is told now.
    pub fn new(told: Told, shells: Vec<WaitingShell>, now: OffsetDateTime) -> Self {
        let desired = told.desired.into_iter().map(workload);
        let workloads: Vec<_> = desired.chain(told.strays.into_iter().map(gone)).collect();
        let shells: Vec<_> = shells
            .into_iter()
            .map(|shell| ShellView { id: shell.id.to_string(), rental_id: shell.rental.to_string() })
            .collect();
        let content = serde_json::to_vec(&(&workloads, &shells)).expect("work is plain data");
        let known = Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { at_milliseconds: to_at(now).millis(), known, workloads, shells }
    }
}

fn workload(desired: Desired) -> WorkloadView {
    let Desired { token, wanted, command, devices } = desired;
    if !wanted {
        return gone(token);
    }
    WorkloadView { desired: "running", command, devices, ..gone(token) }
}

fn gone(token: ClientToken) -> WorkloadView {
    WorkloadView {
        rental_id: token.rental.to_string(),
        epoch: token.epoch,
        desired: "gone",
        command: None,
        devices: Vec::new(),
        environment: Vec::new(),
        expires_in_seconds: limits::WORKLOAD_LEASE.as_secs(),
    }
}
