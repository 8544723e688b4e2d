//! `souk serve`

use std::sync::Arc;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::clock::SystemClock;
use crate::config::Config;
use crate::embedded::{Embedded, Options};
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
        let embedded = self.embedded()?;
        let url = self.config.database_url.clone().or_else(|| embedded.as_ref().map(|own| own.url().to_owned()));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve(url.unwrap_or_default()));
        // Connections first: a server that stops under them would fill the log with their complaints.
        drop(runtime);
        if let Some(own) = embedded {
            own.stop()?;
        }
        served
    }

    /// On the main thread and before there is a runtime: the kernel ends the database with the thread that started it.
    fn embedded(&self) -> anyhow::Result<Option<Embedded>> {
        if self.config.database_url.is_some() {
            return Ok(None);
        }
        let embedded = Embedded::start(&Options::new(self.config.data_dir.join("postgres")))?;
        for notice in embedded.notices() {
            tracing::warn!("{notice}");
        }
        tracing::info!(folder = %embedded.folder().display(), owner = embedded.is_owner(), "PostgreSQL is ready");
        Ok(Some(embedded))
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
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            tracing::info!("stopping: requests in flight are finished first");
            handle.stop(true).await;
        });
        let served = server.await;
        shutdown.cancel();
        loops.stopped().await;
        served?;
        Ok(())
    }
}
