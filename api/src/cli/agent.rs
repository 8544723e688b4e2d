//! `souk agent`

use std::path::PathBuf;

use clap::Args;
use souk_agent::{Node, Settings};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::telemetry;

/// Offer this machine: run the agent of a provider's node.
#[derive(Debug, Args)]
pub struct Agent {
    /// The marketplace's server
    #[arg(long, env = "SOUK_SERVER")]
    server: String,

    /// The one-use enrolment token, at the first start
    #[arg(long, env = "SOUK_ENROLMENT_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// The node's name; the machine's without it
    #[arg(long, env = "SOUK_NODE_NAME")]
    name: Option<String>,

    /// Where the agent keeps its key and the rentals' files
    #[arg(long, env = "SOUK_AGENT_DIR", default_value = "/var/lib/souk-agent")]
    data_dir: PathBuf,
}

impl Agent {
    /// Runs until it is told to stop. Rentals go on running, and the next start takes them over.
    pub fn run(self) -> anyhow::Result<()> {
        telemetry::start(telemetry::USUAL);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let node = Node::start(&self.settings()).await?;
            let shutdown = CancellationToken::new();
            let stop = shutdown.clone();
            let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            tokio::spawn(async move {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                tracing::info!("stopping: rentals keep running, and the next start takes them over");
                stop.cancel();
            });
            node.run(shutdown).await;
            Ok(())
        })
    }

    fn settings(self) -> Settings {
        let name = self.name.unwrap_or_else(souk_agent::discovery::machine_name);
        Settings { server: self.server, token: self.token, name, data_dir: self.data_dir }
    }
}
