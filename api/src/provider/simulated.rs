//! A provider without computers: workloads that boot after a while and run until they are told to end. Its world lies in
//! tables of its own and outlives the server, as a cloud would.
//!
//! [`Faults`] break it on purpose, one call each: that is what the loops are tested against.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use scheduler::world::ids::NodeId;
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};

use super::{Provider, ProviderError};
use crate::clock::Clock;
use crate::rental::{ClientToken, Observed, Order, Sighting};
use crate::store::simulated::{self, Simulation};
use crate::store::{StoreError, Tx};

/// The simulated provider.
pub struct Simulated {
    db: PgPool,
    clock: Arc<dyn Clock>,
    faults: Faults,
}

/// The shortest boot.
const BOOT_LEAST: Duration = Duration::milliseconds(1500);
/// What the longest boot takes beyond the shortest, in milliseconds.
const BOOT_SPREAD_MILLIS: u32 = 4000;

/// How the next `create` goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is accepted and never becomes ready.
    NeverReady,
    /// It is accepted, and the answer gets lost.
    AnswerLost,
    /// It is accepted, and the caller never hears back: a server that is killed at that point.
    CallerKilled,
    /// It is refused.
    Refused(ProviderError),
}

/// Faults to come, in order.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<VecDeque<Fault>>>);

impl Faults {
    /// Adds a fault for one `create`.
    pub fn push(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(fault);
    }

    fn next(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

impl Simulated {
    pub(super) fn new(db: PgPool, clock: Arc<dyn Clock>) -> Self {
        Self { db, clock, faults: Faults::default() }
    }

    /// What goes wrong next.
    #[must_use]
    pub const fn faults(&self) -> &Faults {
        &self.faults
    }

    async fn accept(&self, order: &Order, never_ready: bool) -> Result<(), StoreError> {
        let now = self.clock.now();
        let ready_at = (!never_ready).then(|| now + boot(&order.token));
        let mut tx = Tx::begin(&self.db).await?;
        simulated::accept(&mut tx, &order.token, order.node, now, ready_at).await?;
        tx.commit().await
    }
}

#[async_trait]
impl Provider for Simulated {
    async fn create(&self, order: &Order) -> Result<(), ProviderError> {
        let fault = self.faults.next();
        if let Some(Fault::Refused(error)) = fault {
            return Err(error);
        }
        self.accept(order, fault == Some(Fault::NeverReady)).await?;
        match fault {
            Some(Fault::AnswerLost) => Err(ProviderError::Retryable("the answer got lost".to_owned())),
            Some(Fault::CallerKilled) => std::future::pending().await,
            _ => Ok(()),
        }
    }

    async fn poll(&self, tokens: &[ClientToken]) -> Result<Vec<Sighting>, ProviderError> {
        let now = self.clock.now();
        let mut tx = Tx::begin(&self.db).await?;
        let live = simulated::find(&mut tx, tokens).await?;
        let sighting = |token: &ClientToken| Sighting {
            token: *token,
            seen: live.iter().find(|one| one.token == *token).map(|one| progress(one, now)),
        };
        Ok(tokens.iter().map(sighting).collect())
    }

    async fn terminate(&self, token: &ClientToken) -> Result<(), ProviderError> {
        let mut tx = Tx::begin(&self.db).await?;
        simulated::end(&mut tx, token, self.clock.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn list(&self, nodes: &[NodeId]) -> Result<Vec<ClientToken>, ProviderError> {
        let mut tx = Tx::begin(&self.db).await?;
        Ok(simulated::list(&mut tx, nodes).await?)
    }
}

/// How long the workload of that token takes to boot: always the same, and different for each.
fn boot(token: &ClientToken) -> Duration {
    let digest = Sha256::digest(token.to_string().as_bytes());
    let seed = u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]);
    BOOT_LEAST + Duration::milliseconds(i64::from(seed % BOOT_SPREAD_MILLIS))
}

/// The first half of a boot fetches, the second starts.
fn progress(simulation: &Simulation, now: OffsetDateTime) -> Observed {
    let Some(ready_at) = simulation.ready_at else { return Observed::Pulling };
    if now >= ready_at {
        Observed::Running
    } else if now - simulation.created_at >= (ready_at - simulation.created_at) / 2 {
        Observed::Starting
    } else {
        Observed::Pulling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boot_fetches_then_starts_then_runs() {
        let created_at = OffsetDateTime::UNIX_EPOCH;
        let token = ClientToken { rental: uuid::Uuid::from_u128(1).into(), epoch: 1 };
        let ready_at = Some(created_at + Duration::seconds(4));
        let simulation = Simulation { token, created_at, ready_at };
        let at = |seconds| progress(&simulation, created_at + Duration::seconds(seconds));
        assert_eq!(
            [at(0), at(1), at(2), at(4)],
            [Observed::Pulling, Observed::Pulling, Observed::Starting, Observed::Running]
        );
        let never = Simulation { ready_at: None, ..simulation };
        assert_eq!(progress(&never, created_at + Duration::days(1)), Observed::Pulling);
    }

    #[test]
    fn boots_differ_and_stay_within_their_bounds() {
        let boots: std::collections::BTreeSet<_> =
            (1..=50).map(|epoch| boot(&ClientToken { rental: uuid::Uuid::from_u128(1).into(), epoch })).collect();
        assert!(boots.len() > 40);
        assert!(boots.iter().all(|boot| *boot >= BOOT_LEAST && *boot < Duration::milliseconds(5500)));
    }
}
