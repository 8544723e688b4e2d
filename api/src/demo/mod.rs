//! The demonstration: a market with providers and tenants who behave like those of public traces.
//!
//! Lives here: where demand comes from (the built-in [`model`], or a [`trace`] file), how it is described, who trades,
//! and the player that makes their requests through the public API. Must not live here: anything that reaches into the
//! server; the demo is a client like any other.
//!
//! It keeps almost nothing: accounts' passwords follow from one secret, how long a tenant wants its devices is said by
//! the command it runs, and every request has a key made of stream and ordinal. So it can be killed at any moment, and
//! the next run goes on with the same market.

pub mod arrival;
pub mod describe;
pub mod model;
pub mod notebook;
pub mod pace;
pub mod person;
pub mod phrase;
pub mod player;
pub mod population;
mod stage;
pub mod supply;
mod tenant;
pub mod trace;
mod treasury;
pub mod wish;

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::client::view::Pool;
use crate::client::{Client, ClientError};
use crate::clock::Clock;
use arrival::Arrival;
use model::{Draw, Model, ModelError};
use notebook::Notebook;
use pace::Pace;
use person::Person;
use player::{Cast, Player};
use trace::{Format, Trace, TraceError};
use wish::Wishes;

/// Seconds of the built-in workload in one second, unless asked otherwise.
const MODEL_SPEED: u32 = 20;
/// Its mean gap between two arrivals, in its own time.
const MODEL_GAP_MILLIS: f64 = 8_000.0;
/// Its share of fair-share jobs: jobs last longer than rentals, so few are many.
const MODEL_JOB_SHARE: f64 = 0.03;

/// What to play.
#[derive(Debug, Clone)]
pub struct Programme {
    /// Files of a trace, and their form; the built-in workload if there are none.
    pub trace: Option<(Vec<PathBuf>, Format)>,
    /// Of everything that is drawn.
    pub seed: u64,
    /// Seconds of the trace in one second.
    pub speed: Option<u32>,
    /// Nodes, at most.
    pub nodes: usize,
}

/// Why the demo cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A request that everything else depends on.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The built-in tables.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The trace's files.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// There is nowhere to trade.
    #[error("the server has no pool; an operator creates one with POST /v1/pools")]
    NoPool,
}

/// Plays the programme on the server until it is told to stop.
pub async fn run(
    programme: &Programme,
    anyone: Client,
    operator: Person,
    notebook: Notebook,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) -> Result<(), DemoError> {
    let model = Model::built_in()?;
    let trace = match &programme.trace {
        Some((paths, format)) => trace::read(paths, *format, &model.speeds)?,
        None => Trace::default(),
    };
    let shapes = if trace.nodes.is_empty() { &model.nodes } else { &trace.nodes };
    let listings = supply::listings(shapes, &model.devices, programme.seed, programme.nodes);
    let pools: Vec<Pool> = anyone.list("/v1/pools").await?;
    let pool = pools.last().ok_or(DemoError::NoPool)?.id.clone();
    let added = stage::set(&anyone, &notebook, &pool, &listings).await?;
    tracing::info!(nodes = listings.len(), added, "the demo's nodes are listed");
    let at: Vec<u64> = trace.arrivals.iter().map(|arrival| arrival.at_millis).collect();
    let pace = match (programme.speed, &programme.trace) {
        (Some(speed), _) => Pace::times(speed),
        (None, Some(_)) => Pace::lively(&at),
        (None, None) => Pace::times(MODEL_SPEED),
    };
    let wishes = Wishes::new(&model.devices, supply::by_class(&listings), &model.speeds, pace, programme.seed);
    let stream = stream(programme, &trace);
    tracing::info!(stream, speed = pace.speed(), "the demo plays");
    let cast = Cast { anyone, operator, pool, wishes, notebook, stream, clock };
    let mut player = Player::enter(cast).await?;
    if programme.trace.is_some() {
        player.play(trace.arrivals.into_iter().map(Arrival::with_training_as_jobs), pace, &stop).await?;
    } else {
        let mut draw = Draw::new(&model, programme.seed, MODEL_GAP_MILLIS, MODEL_JOB_SHARE);
        player.play(std::iter::from_fn(|| draw.next_arrival().ok()), pace, &stop).await?;
    }
    Ok(())
}

/// Names the stream of wishes: what was asked for once under this name is not asked for again.
fn stream(programme: &Programme, trace: &Trace) -> String {
    let Some((_, format)) = &programme.trace else { return format!("model-{}", programme.seed) };
    // Two traces of one form differ in their length or in their last arrival.
    let last = trace.arrivals.last().map_or(0, |arrival| arrival.at_millis);
    format!("{}-{}-{last}-{}", format.name(), trace.arrivals.len(), programme.seed)
}
