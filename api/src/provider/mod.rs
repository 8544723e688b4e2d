//! Providers: what makes reality match the leases. An adapter does what it is told and says what it sees; who gets what
//! is decided elsewhere. `loops::provision` writes the intention before it calls one, and the answer after.
//!
//! An adapter's promises, which the loops rely on:
//! - `create` with a token that it has seen answers as the first time and starts nothing new;
//! - `terminate` of what is gone, or was never there, succeeds;
//! - `poll` and `list` may be late, but never invent: what they show is, or was a moment ago, there.

mod agent;
mod simulated;

use std::sync::Arc;

use async_trait::async_trait;
use scheduler::world::ids::NodeId;
use sqlx::PgPool;

pub use agent::AgentNodes;
pub use simulated::{Fault, Faults, Simulated};

use crate::clock::Clock;
use crate::node::Adapter;
use crate::rental::{ClientToken, Order, Sighting};
use crate::store::StoreError;

/// One kind of provider.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Starts a workload, once per token.
    async fn create(&self, order: &Order) -> Result<(), ProviderError>;

    /// The news about these workloads. A token that is not mentioned has no news.
    async fn poll(&self, tokens: &[ClientToken]) -> Result<Vec<Sighting>, ProviderError>;

    /// Ends a workload. Success means that it was told to; `poll` confirms that it is gone.
    async fn terminate(&self, token: &ClientToken) -> Result<(), ProviderError>;

    /// Everything of ours that is on these nodes, whether we remember it or not.
    async fn list(&self, nodes: &[NodeId]) -> Result<Vec<ClientToken>, ProviderError>;
}

/// Why an adapter did not do what it was told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It may or may not have happened; the same call can be made again.
    #[error("the provider did not answer: {0}")]
    Retryable(String),
    /// There is no room just now.
    #[error("the provider has no capacity: {0}")]
    Capacity(String),
    /// It will never work.
    #[error("the provider refuses: {0}")]
    Permanent(String),
}

impl From<StoreError> for ProviderError {
    fn from(error: StoreError) -> Self {
        Self::Retryable(error.to_string())
    }
}

/// Every adapter that this server can call.
#[derive(Clone)]
pub struct Providers {
    /// The simulated one; tests break it on purpose.
    pub simulated: Arc<Simulated>,
}

impl Providers {
    /// All adapters over this database and clock.
    #[must_use]
    pub fn new(db: PgPool, clock: Arc<dyn Clock>) -> Self {
        Self { simulated: Arc::new(Simulated::new(db, clock)) }
    }

    /// The adapter of that name.
    #[must_use]
    pub fn of(&self, adapter: Adapter) -> &dyn Provider {
        match adapter {
            Adapter::Simulated => &*self.simulated,
            Adapter::Agent => &AgentNodes,
        }
    }
}
