//! What the agent and the server say to each other. The API's description is the authority; the suite runs this very
//! code against the server.

use std::fmt;

use serde::{Deserialize, Serialize};

/// `POST /v1/agent/enrol`
#[derive(Debug, Clone, Serialize)]
pub struct Enrol<'a> {
    /// The one-use token.
    pub token: &'a str,
    /// The node's name.
    pub name: &'a str,
    /// The node's Ed25519 public key, in base64.
    pub public_key: String,
    /// What the node has.
    pub hardware: &'a Hardware,
}

/// What a node has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hardware {
    /// Processor time, in thousandths of a core.
    pub cpu_milli: i64,
    /// Main memory.
    pub memory_mib: i64,
    /// Version of the GPU driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The newest CUDA that the driver supports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuda_max: Option<String>,
    /// What can be rented.
    pub devices: Vec<Device>,
}

/// A device that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Device {
    /// What its driver calls it, for good.
    pub uuid: String,
    /// Its place in the node, counted from 0.
    pub slot: i32,
    /// Its model, as its driver says it.
    pub model: String,
    /// Its memory.
    pub memory_mib: i64,
}

/// The answer to [`Enrol`].
#[derive(Debug, Clone, Deserialize)]
pub struct Enrolled {
    /// The node's identity.
    pub node_id: String,
    /// Devices of models that the market does not know: they are not listed.
    #[serde(default)]
    pub unknown_devices: Vec<String>,
}

/// The answer of `GET /v1/agent/time`.
#[derive(Debug, Clone, Deserialize)]
pub struct ServerTime {
    /// The server's time, to be signed as it is.
    pub at: String,
}

/// `POST /v1/agent/token`
#[derive(Debug, Clone, Serialize)]
pub struct AskToken<'a> {
    /// Which node.
    pub node_id: &'a str,
    /// The server's time, as it said it.
    pub at: &'a str,
    /// Over [`token_message`], by the node's key, in base64.
    pub signature: String,
}

/// What is signed for a token.
#[must_use]
pub fn token_message(node_id: &str, at: &str) -> String {
    format!("souk node token\n{node_id}\n{at}")
}

/// The answer to [`AskToken`].
#[derive(Clone, Deserialize)]
pub struct Token {
    /// What to present from now on.
    pub token: String,
    /// For how long.
    pub expires_in_seconds: u64,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("expires_in_seconds", &self.expires_in_seconds).finish_non_exhaustive()
    }
}

/// `POST /v1/agent/heartbeat`
#[derive(Debug, Clone, Serialize)]
pub struct Heartbeat {
    /// Everything that the node has, in whatever state.
    pub workloads: Vec<Report>,
}

/// How one workload fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// For which rental.
    pub rental_id: String,
    /// Which epoch of it.
    pub epoch: i64,
    /// Where it stands.
    pub state: WorkloadState,
    /// What its command ended with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What is wrong, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The end of what it printed, when that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_tail: Option<String>,
    /// How long it was usable so far: a total, so that a lost report loses nothing.
    pub usable_milliseconds_total: i64,
}

/// Where a workload stands on its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkloadState {
    /// Its devices are still in other hands.
    Pulling,
    /// It is being started.
    Starting,
    /// It can be used.
    Running,
    /// Its command finished.
    Exited,
    /// It could not start, or something other than its command ended it.
    Failed,
}

/// What the node should run: the answer to a heartbeat and to `GET /v1/agent/work`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Work {
    /// The server's time in milliseconds: an answer that is older than one that was followed is not followed.
    pub at_milliseconds: i64,
    /// A name for this content: `GET /v1/agent/work?known=` waits until it is another.
    pub known: String,
    /// Everything that should run, or be gone.
    pub workloads: Vec<Order>,
    /// Shells that wait for this node.
    #[serde(default)]
    pub shells: Vec<ShellOrder>,
}

/// One workload that should run, or be gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// For which rental.
    pub rental_id: String,
    /// Which epoch of it.
    pub epoch: i64,
    /// What should become of it.
    pub desired: Desired,
    /// What to run; nothing but shells, when there is none.
    pub command: Option<String>,
    /// On which devices.
    pub devices: Vec<String>,
    /// Added to the environment.
    pub environment: Vec<Variable>,
    /// How long it may run without another word from the server.
    pub expires_in_seconds: u64,
}

/// What should become of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Desired {
    /// It should run.
    Running,
    /// It should be gone, with everything it left.
    Gone,
}

/// A variable of the environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A shell that somebody wants in a rental.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ShellOrder {
    /// Under which id to dial.
    pub id: String,
    /// In which rental.
    pub rental_id: String,
}

/// What a text frame of a shell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellControl {
    /// The terminal has another size.
    pub resize: Size,
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Characters in a row.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}
