//! Makes reality match the leases: starts what should run, watches it come up, ends what should be gone.
//!
//! The intention is committed before a provider is called, and its answer after; no call is made inside a transaction.
//! Whatever is lost in between is found again: a call is repeated under the same token, and `loops::reconcile` compares
//! what is there with what should be.

use futures_util::StreamExt as _;
use futures_util::stream;
use time::Duration;

use super::{LoopError, Step};
use crate::State;
use crate::app::advance_rentals::{advance_rentals, end_late};
use crate::app::stop_rental::settle_stops;
use crate::config::limits;
use crate::node::Adapter;
use crate::provider::ProviderError;
use crate::rental::{ClientToken, Order};
use crate::store::Tx;
use crate::store::workloads::{self, Answer, Called};

/// Workloads handled in one step, for each kind of work.
const BATCH: i64 = 500;
/// Calls to providers at once.
const CALLS_AT_ONCE: usize = 16;
/// Rentals moved on in one transaction.
const MOVED_AT_ONCE: i64 = 100;
/// A provider that has not answered by then has not answered.
const CALL_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(20);
/// When a claim lapses whose server died: later than any call of its own.
const CLAIM: Duration = Duration::seconds(30);
/// Between two looks at the same workload.
const POLL_EVERY: Duration = Duration::seconds(1);
/// The longest wait between two calls that fail.
const AGAIN_MOST: Duration = Duration::seconds(30);

/// One round of everything.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let intended = intend(state).await?;
    let created = create(state).await?;
    let polled = poll(state).await?;
    let terminated = terminate(state).await?;
    let moved = move_on(state).await?;
    let full = [intended, created, polled, terminated].contains(&BATCH.unsigned_abs());
    Ok(if full || moved >= MOVED_AT_ONCE.unsigned_abs() { Step::Worked } else { Step::Idle })
}

async fn intend(state: &State) -> Result<u64, LoopError> {
    let mut tx = Tx::begin(&state.db).await?;
    let intended = workloads::intend(&mut tx, BATCH, state.clock.now()).await?;
    tx.commit().await?;
    intended.iter().for_each(|node| state.doorbell.ring(*node));
    Ok(count(&intended))
}

async fn create(state: &State) -> Result<u64, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let claimed = workloads::claim_creates(&mut tx, BATCH, now, now + CLAIM).await?;
    tx.commit().await?;
    let called = count(&claimed);
    let answers: Vec<_> = stream::iter(claimed)
        .map(|(adapter, order, attempts)| call(state, adapter, order, attempts))
        .buffer_unordered(CALLS_AT_ONCE)
        .collect()
        .await;
    let mut tx = Tx::begin(&state.db).await?;
    workloads::answer(&mut tx, &answers, state.clock.now()).await?;
    tx.commit().await?;
    Ok(called)
}

async fn call(state: &State, adapter: Adapter, order: Order, attempts: i32) -> (ClientToken, Answer) {
    let called = tokio::time::timeout(CALL_TIMEOUT, state.providers.of(adapter).create(&order)).await;
    let answer = match called {
        Ok(Ok(())) => Answer::Accepted,
        Ok(Err(ProviderError::Permanent(why))) => Answer::Refused(why),
        Ok(Err(error)) => Answer::Again(state.clock.now() + again_after(attempts), error.to_string()),
        Err(_) => {
            Answer::Again(state.clock.now() + again_after(attempts), "the provider did not answer in time".into())
        }
    };
    (order.token, answer)
}

/// Twice as long after each failure, up to a bound.
fn again_after(attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts.clamp(1, 10) - 1).unwrap_or(0);
    Duration::seconds(i64::from(2_u32.pow(doublings))).min(AGAIN_MOST)
}

async fn poll(state: &State) -> Result<u64, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let claimed = workloads::claim_polls(&mut tx, BATCH, now, now + POLL_EVERY).await?;
    tx.commit().await?;
    ask(state, &claimed).await?;
    Ok(count(&claimed))
}

async fn terminate(state: &State) -> Result<u64, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let claimed = workloads::claim_terminations(&mut tx, BATCH, now, now + POLL_EVERY).await?;
    tx.commit().await?;
    claimed.iter().for_each(|called| state.doorbell.ring(called.node));
    stream::iter(claimed.clone()).for_each_concurrent(CALLS_AT_ONCE, |called| tell_to_end(state, called)).await;
    ask(state, &claimed).await?;
    let mut tx = Tx::begin(&state.db).await?;
    workloads::forget(&mut tx, state.clock.now()).await?;
    tx.commit().await?;
    Ok(count(&claimed))
}

async fn tell_to_end(state: &State, called: Called) {
    if let Err(error) = state.providers.of(called.adapter).terminate(&called.token).await {
        tracing::warn!(token = %called.token, %error, "a workload could not be ended and will be told again");
    }
}

/// Asks every adapter about its workloads, and writes what it says.
async fn ask(state: &State, called: &[Called]) -> Result<(), LoopError> {
    for adapter in Adapter::ALL {
        let tokens: Vec<_> = called.iter().filter(|one| one.adapter == adapter).map(|one| one.token).collect();
        if tokens.is_empty() {
            continue;
        }
        match state.providers.of(adapter).poll(&tokens).await {
            Ok(sightings) => {
                let mut tx = Tx::begin(&state.db).await?;
                workloads::news(&mut tx, &sightings, state.clock.now()).await?;
                tx.commit().await?;
            }
            Err(error) => tracing::warn!(adapter = adapter.as_str(), %error, "a provider could not be polled"),
        }
    }
    Ok(())
}

/// Moves rentals on, as far as their workloads are; ends those that took too long.
async fn move_on(state: &State) -> Result<u64, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let due = workloads::due(&mut tx, MOVED_AT_ONCE).await?;
    if !due.is_empty() {
        advance_rentals(&mut tx, &*state.entropy, &due, now).await?;
        tx.commit().await?;
        tx = Tx::begin(&state.db).await?;
    }
    let late = workloads::late(&mut tx, now - limits::PROVISIONING, MOVED_AT_ONCE).await?;
    if !late.is_empty() {
        end_late(&mut tx, &*state.entropy, &late, now).await?;
    }
    let stopped = workloads::settled_stops(&mut tx, MOVED_AT_ONCE).await?;
    settle_stops(&mut tx, &*state.entropy, &stopped, now).await?;
    tx.commit().await?;
    Ok(count(&due).max(count(&late)).max(count(&stopped)))
}

fn count<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_calls_wait_longer_and_longer_up_to_a_bound() {
        let waits: Vec<_> = [1, 2, 3, 6, 7, i32::MAX].map(again_after).map(|wait| wait.whole_seconds()).into();
        assert_eq!(waits, [1, 2, 4, 30, 30, 30]);
    }
}
