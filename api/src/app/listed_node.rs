//! A node with everything that its provider sees of it.

use scheduler::world::ids::NodeId;

use crate::store::asks::{self, Ask};
use crate::store::devices::{self, Device};
use crate::store::nodes::Node;
use crate::store::{StoreError, Tx};

/// A node, its devices and its live asks.
#[derive(Debug, Clone)]
pub struct ListedNode {
    /// The node.
    pub node: Node,
    /// Its devices, by their places.
    pub devices: Vec<Device>,
    /// Its live asks, by class.
    pub asks: Vec<Ask>,
}

/// Completes nodes, in two statements however many there are.
pub async fn complete(tx: &mut Tx, nodes: Vec<Node>) -> Result<Vec<ListedNode>, StoreError> {
    let ids: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
    let devices = devices::of_nodes(tx, &ids).await?;
    let asks = asks::live_of_nodes(tx, &ids).await?;
    let complete = |node: Node| ListedNode {
        devices: devices.iter().filter(|device| device.node == node.id).cloned().collect(),
        asks: asks.iter().filter(|ask| ask.node == node.id).cloned().collect(),
        node,
    };
    Ok(nodes.into_iter().map(complete).collect())
}

/// Completes one node.
pub async fn complete_one(tx: &mut Tx, node: Node) -> Result<ListedNode, StoreError> {
    let devices = devices::of_nodes(tx, &[node.id]).await?;
    let asks = asks::live_of_nodes(tx, &[node.id]).await?;
    Ok(ListedNode { node, devices, asks })
}
