//! One node: devices that share a computer, and what their provider asks for them.

use super::ask::Ask;
use super::device::Device;
use super::ids::{NodeId, ProviderId};
use serde::{Deserialize, Serialize};

/// A node of the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Which node.
    pub id: NodeId,
    /// Whose it is.
    pub provider: ProviderId,
    /// Whether new gangs may be placed on it.
    pub state: NodeState,
    /// Its devices, of one class or several.
    pub devices: Vec<Device>,
    /// Live asks, at most one per class. Devices of a class without an ask are not for sale.
    pub asks: Vec<Ask>,
}

/// A node as the market sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// New gangs may start here.
    Ready,
    /// Nothing new starts here, and what can be moved away gets notice.
    Draining,
    /// Lost, quarantined, enrolling or retired: nothing starts, and what it held is settled elsewhere.
    Unavailable,
}
