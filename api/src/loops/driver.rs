//! Runs loops: by period, by signal, until shutdown. A failure or a panic of a step is reported and backed off from;
//! it never ends the loop or the server.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{LoopError, LoopName, Step, others};
use crate::State;

/// Wait after the first failure; doubled after each further one.
const BACKOFF_FIRST: Duration = Duration::from_millis(250);
/// The longest wait after failures.
const BACKOFF_MAX: Duration = Duration::from_secs(30);
/// Steps in a row without a pause, while there is work.
const BURST: u32 = 64;

/// A step on its way.
pub type Stepping<'a> = Pin<Box<dyn Future<Output = Result<Step, LoopError>> + Send + 'a>>;

/// The running loops of one server.
pub struct Loops {
    state: State,
    shutdown: CancellationToken,
    tasks: JoinSet<()>,
}

impl Loops {
    pub(super) fn new(state: State, shutdown: CancellationToken) -> Self {
        Self { state, shutdown, tasks: JoinSet::new() }
    }

    /// Adds a loop: it runs at once, then when `period` is over or when it is woken.
    pub(super) fn spawn(&mut self, name: LoopName, period: Duration, step: fn(&State) -> Stepping<'_>) {
        let (state, shutdown) = (self.state.clone(), self.shutdown.clone());
        self.tasks.spawn(async move { drive(&state, &shutdown, name, period, step).await });
    }

    /// Lets other servers wake the loops of this one, where there is a Redis to say so.
    pub(super) fn listen_to_others(&mut self) {
        let (state, shutdown) = (self.state.clone(), self.shutdown.clone());
        self.tasks.spawn(async move { others::listen(&state, &shutdown).await });
    }

    /// Waits until every loop has finished its last step, and gives the pools that this server leads to the others.
    pub async fn stopped(mut self) {
        while self.tasks.join_next().await.is_some() {}
        if let Err(error) = super::round::resign(&self.state).await {
            tracing::warn!(%error, "the pools' leases were not given up; others take over when they expire");
        }
    }
}

async fn drive(
    state: &State,
    shutdown: &CancellationToken,
    name: LoopName,
    period: Duration,
    step: fn(&State) -> Stepping<'_>,
) {
    let (mut failures, mut burst) = (0_u32, 0_u32);
    while !shutdown.is_cancelled() {
        let result = run(state, name, step).await;
        state.board.note(name, state.clock.now(), &result);
        let pause = match result {
            Ok(Step::Worked) if burst < BURST => {
                (failures, burst) = (0, burst + 1);
                tokio::task::yield_now().await;
                continue;
            }
            Ok(_) => {
                failures = 0;
                period
            }
            Err(error) => {
                tracing::error!(name = name.as_str(), error = &error as &dyn std::error::Error, "a loop's step failed");
                failures = failures.saturating_add(1);
                backoff(failures)
            }
        };
        burst = 0;
        // After a failure signals wait, too: what failed is tried again at the pace of the back-off.
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = state.wake.signalled(name), if failures == 0 => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// One step, in which a panic is a failure like any other.
async fn run(state: &State, name: LoopName, step: fn(&State) -> Stepping<'_>) -> Result<Step, LoopError> {
    match AssertUnwindSafe(step(state)).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => Err(LoopError::Failed(format!("the loop {} panicked: {}", name.as_str(), message(&*panic)))),
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

fn backoff(failures: u32) -> Duration {
    BACKOFF_FIRST.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(16))).min(BACKOFF_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_off_doubles_up_to_its_bound() {
        assert_eq!(backoff(1), BACKOFF_FIRST);
        assert_eq!(backoff(3), Duration::from_secs(1));
        assert_eq!(backoff(u32::MAX), BACKOFF_MAX);
    }
}
