//! `souk serve`

use std::sync::Arc;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::database::Database;
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
        let database = Database::open(self.config.database_url.as_deref(), &self.config.data_dir)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve(database.url.clone()));
        drop(runtime);
        database.close()?;
        served
    }

    async fn serve(self, url: String) -> anyhow::Result<()> {
        let db = store::connect(&url, self.config.database_connections).await?;
        store::migrate(&db).await?;
        let state = State::assemble(self.config, db, Arc::new(SystemClock), Arc::new(SystemEntropy)).await?;
        let application = Application::build(state.clone())?;
        let shutdown = CancellationToken::new();
        let loops = loops::spawn_all(&state, shutdown.clone());
        tracing::info!(port = application.port(), "listening");
        let server = application.run();
        let handle = server.handle();
        let stopping = state.stopping.clone();
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            tracing::info!("stopping: requests in flight are finished first");
            stopping.cancel();
            handle.stop(true).await;
        });
        let served = server.await;
        shutdown.cancel();
        loops.stopped().await;
        served?;
        Ok(())
    }
}
