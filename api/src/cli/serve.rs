//! `souk serve`

use std::sync::Arc;

use clap::Args;
use tokio_util::sync::CancellationToken;

use crate::clock::SystemClock;
use crate::config::Config;
use crate::entropy::SystemEntropy;
use crate::http::Application;
use crate::{State, loops, store, telemetry};

/// Serve the API, the page and the market.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    config: Config,
}

impl Serve {
    /// Starts the database if none is named, then the server; returns when it was told to stop.
    pub fn run(self) -> anyhow::Result<()> {
        telemetry::start();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> anyhow::Result<()> {
        let url = self.config.database_url.clone().unwrap_or_default();
        let db = store::connect(&url, self.config.database_connections).await?;
        store::migrate(&db).await?;
        let state = State::assemble(self.config, db, Arc::new(SystemClock), Arc::new(SystemEntropy)).await?;
        let application = Application::build(state.clone())?;
        let shutdown = CancellationToken::new();
        let loops = loops::spawn_all(&state, shutdown.clone());
        tracing::info!(port = application.port(), "listening");
        let served = application.run().await;
        shutdown.cancel();
        loops.stopped().await;
        served?;
        Ok(())
    }
}
