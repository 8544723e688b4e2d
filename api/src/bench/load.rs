//! Callers that place bids one after the other, each over its own connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Figures;
use super::caller::Caller;
use super::stopwatch::Stopwatch;
use crate::client::Client;

/// Callers and the number of bids so far, which makes every key and every limit a new one.
pub(super) struct Load {
    callers: Vec<Caller>,
    placed: Arc<AtomicU64>,
}

impl Load {
    /// Callers take the tenants in turn.
    pub(super) async fn open(tenants: &[Client], callers: usize) -> anyhow::Result<Self> {
        let mut connected = Vec::with_capacity(callers);
        for tenant in tenants.iter().cycle().take(callers) {
            connected.push(Caller::connect(tenant).await?);
        }
        Ok(Self { callers: connected, placed: Arc::default() })
    }

    /// Places bids for so long. A refusal counts as a failure; the first one is told.
    pub(super) async fn run(&mut self, time: Duration) -> anyhow::Result<Figures> {
        let begun = Stopwatch::start();
        let mut workers = JoinSet::new();
        for caller in self.callers.drain(..) {
            workers.spawn(place(caller, Arc::clone(&self.placed), begun, time));
        }
        let mut parts = Vec::new();
        while let Some(done) = workers.join_next().await {
            let (caller, figures, refused) = done?;
            self.callers.push(caller);
            if let Some(error) = refused {
                tracing::warn!(error = format!("{error:#}"), "a bid was not placed");
            }
            parts.push(figures);
        }
        Ok(Figures::merged(parts, begun.elapsed()))
    }
}

async fn place(
    mut caller: Caller,
    placed: Arc<AtomicU64>,
    begun: Stopwatch,
    time: Duration,
) -> (Caller, Figures, Option<anyhow::Error>) {
    let (mut figures, mut refused) = (Figures::default(), None);
    while begun.elapsed() < time {
        let ordinal = placed.fetch_add(1, Ordering::Relaxed);
        let (key, body) = (format!("bench-{ordinal}"), bid(ordinal).to_string());
        let one = Stopwatch::start();
        match caller.create("/v1/bids", &key, body).await {
            Ok(()) => figures.note(one.elapsed()),
            Err(error) => {
                figures.fail();
                refused.get_or_insert(error);
            }
        }
    }
    (caller, figures, refused)
}

/// Gangs and limits as a market has them, not one bid over and over.
fn bid(ordinal: u64) -> Value {
    let gpu = ["H100:1", "H100,A100:80GB:2", "A100:80GB:1", "H100:4"][usize::try_from(ordinal % 4).unwrap_or(0)];
    json!({
        "gpu": gpu,
        "limit_per_gpu_hour": format!("2.{:03}", ordinal * 7 % 1000),
        "command": "python train.py",
    })
}
