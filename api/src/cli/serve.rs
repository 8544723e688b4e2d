//! `souk serve`

use std::sync::Arc;

use actix_web::dev::ServerHandle;
use clap::Args;
use futures_util::future::OptionFuture;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::database::Database;
use super::host;
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

    /// Play demo providers and tenants on this server, and give whoever signs up a little money to try
    #[arg(long, env = "SOUK_DEMO")]
    demo: bool,
}

impl Serve {
    /// Starts the database if none is named, then the server; returns when it was told to stop.
    pub fn run(mut self) -> anyhow::Result<()> {
        telemetry::start(if self.demo { telemetry::QUIET } else { telemetry::USUAL });
        if self.demo {
            host::prepare(&mut self.config);
        }
        // A market in a database of its own making is there to be tried; one that was given a database may be in earnest.
        self.config.allow_simulated |= self.config.database_url.is_none();
        let mut database = Database::open(self.config.database_url.as_deref(), &self.config.data_dir)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve(&mut database));
        drop(runtime);
        database.close()?;
        served
    }

    async fn serve(self, database: &mut Database) -> anyhow::Result<()> {
        let url = database.url.clone();
        let db = store::connect(&url, self.config.database_connections).await?;
        store::migrate(&db).await?;
        let state = State::assemble(self.config, db, Arc::new(SystemClock), Arc::new(SystemEntropy)).await?;
        let application = Application::build(state.clone())?;
        let shutdown = CancellationToken::new();
        let loops = loops::spawn_all(&state, shutdown.clone());
        let demo = self.demo.then(|| host::play(state.config.clone(), url, application.port(), state.stopping.clone()));
        let ended = state.stopping.clone();
        tracing::info!(port = application.port(), "listening");
        let server = application.run();
        let (handle, halt) = (server.handle(), server.handle());
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
        let serving = async {
            let served = server.await;
            ended.cancel();
            served
        };
        let watching = watch(database, &state.stopping, halt);
        let (served, lost, _) = tokio::join!(serving, watching, OptionFuture::from(demo));
        shutdown.cancel();
        loops.stopped().await;
        served?;
        if let Some(status) = lost {
            anyhow::bail!("PostgreSQL ended ({status}); what was acknowledged is safe: start souk again");
        }
        Ok(())
    }
}

/// Stops the server when its database has ended by itself, and says how: without it the server could do nothing but say so
/// for ever, and nobody would start it again.
async fn watch(database: &mut Database, stopping: &CancellationToken, server: ServerHandle) -> Option<String> {
    tokio::select! {
        () = stopping.cancelled() => None,
        status = database.ended() => {
            tracing::error!(status, "PostgreSQL ended; stopping");
            stopping.cancel();
            server.stop(false).await;
            Some(status)
        }
    }
}
