//! Rings for nodes that wait for news. A ring is a hint that saves waiting; losing one costs seconds, nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use scheduler::world::ids::NodeId;
use tokio::sync::Notify;

/// One bell per node that was ever heard by this server.
#[derive(Debug, Clone, Default)]
pub struct Doorbell(Arc<Mutex<BTreeMap<NodeId, Arc<Notify>>>>);

impl Doorbell {
    /// There is news for the node. Call it after the commit.
    pub fn ring(&self, node: NodeId) {
        let bell = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&node).cloned();
        if let Some(bell) = bell {
            bell.notify_waiters();
        }
    }

    /// The node's bell. Enable a waiter on it before looking for news: a ring in between is then not missed.
    #[must_use]
    pub fn of(&self, node: NodeId) -> Arc<Notify> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(node).or_default())
    }
}
