//! The agent as a whole: three tasks that share a runtime and a line to the server.
//!
//! One says how everything fares, every few seconds and whenever something changes. One waits for news, so that what a
//! tenant asks for begins at once. One moves the workloads on. None needs the others: without news the answers to the
//! heartbeats say the same, a little later.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rand::TryRngCore as _;
use rand::rngs::OsRng;
use tokio_util::sync::CancellationToken;

use crate::clock::Instant;
use crate::connection::{Connection, ConnectionError};
use crate::discovery::{Discovery, WholeMachine, hardware};
use crate::identity::{Identity, IdentityError};
use crate::protocol::{Heartbeat, Work};
use crate::runtime::{self, NoAccount, Runtime};
use crate::shell::Shells;

/// Between two heartbeats, when nothing changes.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(10);
/// Between two heartbeats, however much changes.
const HEARTBEAT_LEAST: Duration = Duration::from_millis(200);
/// Between two looks at the workloads.
const TICK: Duration = Duration::from_millis(200);
/// The first wait after a failure; doubled after each further one.
const BACKOFF_FIRST: Duration = Duration::from_millis(500);
/// The longest wait after failures: well below the silence after which a node is lost.
const BACKOFF_MOST: Duration = Duration::from_secs(10);

/// How an agent is started.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server.
    pub server: String,
    /// The enrolment token, at the first start.
    pub token: Option<String>,
    /// The node's name.
    pub name: String,
    /// Where the agent keeps its files.
    pub data_dir: PathBuf,
}

/// Why an agent did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The node's files.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The server.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// Rentals cannot be run here.
    #[error(transparent)]
    Account(#[from] NoAccount),
    /// The folder of the rentals.
    #[error("the folder of the rentals cannot be used: {0}")]
    Folder(#[source] std::io::Error),
}

/// A running node.
#[derive(Debug, Clone)]
pub struct Node {
    connection: Arc<Connection>,
    runtime: Arc<Runtime>,
    shells: Arc<Shells>,
}

impl Node {
    /// Takes over what an earlier run left behind, and enrols if that is still to do.
    pub async fn start(settings: &Settings) -> Result<Self, StartError> {
        let identity = Identity::load(&settings.data_dir)?;
        let ways: [&dyn Discovery; 1] = [&WholeMachine];
        let hardware = hardware(&ways);
        let root = runtime::reachable_root(&settings.data_dir).map_err(StartError::Folder)?;
        let runtime = runtime::Settings::new(root)?;
        let runtime = Arc::new(Runtime::open(runtime).map_err(StartError::Folder)?);
        let token = settings.token.as_deref();
        let connection = Connection::open(&settings.server, identity, &settings.name, token, &hardware).await?;
        tracing::info!(node = connection.node_id(), server = settings.server, "this node is ready");
        Ok(Self { connection: Arc::new(connection), runtime, shells: Arc::new(Shells::default()) })
    }

    /// The node's id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.connection.node_id()
    }

    /// Runs until `shutdown`. Rentals go on running: the next start takes them over.
    pub async fn run(&self, shutdown: CancellationToken) {
        tokio::join!(self.report(&shutdown), self.listen(&shutdown), self.tend(&shutdown));
    }

    async fn report(&self, shutdown: &CancellationToken) {
        let mut failures = 0;
        while !shutdown.is_cancelled() {
            let asked = Instant::now();
            let heartbeat = Heartbeat { workloads: self.runtime.reports() };
            let pause = match self.connection.heartbeat(&heartbeat).await {
                Ok(work) => {
                    failures = 0;
                    self.follow(work, asked);
                    jittered(HEARTBEAT_EVERY)
                }
                Err(error) => {
                    self.runtime.report_again();
                    failures += 1;
                    tracing::warn!(%error, failures, "the heartbeat was not heard");
                    backoff(failures)
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
                () = self.runtime.changed(), if failures == 0 => tokio::time::sleep(HEARTBEAT_LEAST).await,
            }
        }
    }

    async fn listen(&self, shutdown: &CancellationToken) {
        let (mut known, mut failures) = (String::new(), 0);
        while !shutdown.is_cancelled() {
            let asked = Instant::now();
            let news = tokio::select! {
                () = shutdown.cancelled() => return,
                news = self.connection.news(&known) => news,
            };
            match news {
                Ok(work) => {
                    failures = 0;
                    known.clone_from(&work.known);
                    self.follow(work, asked);
                }
                Err(error) => {
                    failures += 1;
                    tracing::debug!(%error, failures, "no news");
                    tokio::select! {
                        () = shutdown.cancelled() => {}
                        () = tokio::time::sleep(backoff(failures)) => {}
                    }
                }
            }
        }
    }

    async fn tend(&self, shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            let runtime = Arc::clone(&self.runtime);
            if let Err(error) = tokio::task::spawn_blocking(move || runtime.tick()).await {
                tracing::error!(%error, "tending the workloads failed");
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(TICK) => {}
            }
        }
    }

    fn follow(&self, work: Work, asked: Instant) {
        self.runtime.follow(&work, asked);
        for shell in work.shells {
            self.shells.open(shell, &self.connection, &self.runtime);
        }
    }
}

fn backoff(failures: u32) -> Duration {
    jittered(BACKOFF_FIRST.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(8))).min(BACKOFF_MOST))
}

/// Up to a fifth more or less, so that nodes do not all speak at once.
fn jittered(pause: Duration) -> Duration {
    let mut byte = [0];
    OsRng.try_fill_bytes(&mut byte).unwrap_or_default();
    pause * 4 / 5 + pause * 2 / 5 * u32::from(byte[0]) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_stay_far_below_the_silence_that_loses_a_node() {
        assert!(backoff(1) < Duration::from_secs(1));
        assert!((1..100).all(|failures| backoff(failures) <= BACKOFF_MOST * 6 / 5));
        let spread: Vec<_> = (0..200).map(|_| jittered(HEARTBEAT_EVERY)).collect();
        assert!(spread.iter().all(|pause| *pause >= HEARTBEAT_EVERY * 4 / 5 && *pause <= HEARTBEAT_EVERY * 6 / 5));
        assert!(spread.iter().min() != spread.iter().max());
    }
}
