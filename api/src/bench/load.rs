//! Callers that place bids one after the other, each over its own connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Figures;
use super::stopwatch::Stopwatch;
use crate::client::view::Identified;
use crate::client::{Client, ClientError};

/// Callers and the number of bids so far, which makes every key and every limit a new one.
pub(super) struct Load {
    callers: Vec<Client>,
    placed: Arc<AtomicU64>,
}

impl Load {
    /// Callers take the tenants in turn.
    pub(super) fn new(tenants: &[Client], callers: usize) -> Self {
        Self { callers: tenants.iter().cycle().take(callers).cloned().collect(), placed: Arc::default() }
    }

    /// Places bids for so long. A refusal counts as a failure; the first one is told.
    pub(super) async fn run(&self, time: Duration) -> anyhow::Result<Figures> {
        let begun = Stopwatch::start();
        let mut workers = JoinSet::new();
        for caller in &self.callers {
            workers.spawn(place(caller.clone(), Arc::clone(&self.placed), begun, time));
        }
        let mut parts = Vec::new();
        while let Some(done) = workers.join_next().await {
            let (figures, refused) = done?;
            if let Some(error) = refused {
                tracing::warn!(%error, "a bid was not placed");
            }
            parts.push(figures);
        }
        Ok(Figures::merged(parts, begun.elapsed()))
    }
}

async fn place(
    caller: Client,
    placed: Arc<AtomicU64>,
    begun: Stopwatch,
    time: Duration,
) -> (Figures, Option<ClientError>) {
    let (mut figures, mut refused) = (Figures::default(), None);
    while begun.elapsed() < time {
        let ordinal = placed.fetch_add(1, Ordering::Relaxed);
        let (key, body) = (format!("bench-{ordinal}"), bid(ordinal));
        let one = Stopwatch::start();
        match caller.post_once::<Identified>("/v1/bids", &key, &body).await {
            Ok(_) => figures.note(one.elapsed()),
            Err(error) => {
                figures.fail();
                refused.get_or_insert(error);
            }
        }
    }
    (figures, refused)
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
