//! Nodes that run `souk agent`. Nothing is ever sent to them: they ask what should run and report what does, and the
//! report is written where it arrives (`app::hear_node`). So telling them succeeds at once, and polling them has no news.

use async_trait::async_trait;
use scheduler::world::ids::NodeId;

use super::{Provider, ProviderError};
use crate::rental::{ClientToken, Order, Sighting};

/// The nodes with an agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentNodes;

#[async_trait]
impl Provider for AgentNodes {
    async fn create(&self, _order: &Order) -> Result<(), ProviderError> {
        Ok(())
    }

    async fn poll(&self, _tokens: &[ClientToken]) -> Result<Vec<Sighting>, ProviderError> {
        Ok(Vec::new())
    }

    async fn terminate(&self, _token: &ClientToken) -> Result<(), ProviderError> {
        Ok(())
    }

    async fn list(&self, _nodes: &[NodeId]) -> Result<Vec<ClientToken>, ProviderError> {
        Ok(Vec::new())
    }
}
