//! How a node looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::listed_node::ListedNode;
use crate::http::v1::asks::AskView;
use crate::http::wire;
use crate::node::{Adapter, NodeState};
use crate::store::devices::{Device, state_name};

/// A computer with devices.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Node)]
pub struct NodeView {
    /// Identity.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Whose it is.
    pub provider_id: String,
    /// Where it is cleared.
    pub pool_id: String,
    /// What its provider calls it.
    #[schema(example = "rack-3-node-7")]
    pub name: String,
    /// Who runs workloads on it.
    pub adapter: Adapter,
    /// Where it stands.
    pub state: NodeState,
    /// Where in the world it is.
    #[schema(example = "eu-west")]
    pub region: String,
    /// Processor time, in thousandths of a core.
    #[schema(example = 96000)]
    pub cpu_milli: i64,
    /// Main memory.
    #[schema(example = 393_216)]
    pub memory_mib: i64,
    /// Whether its GPUs are connected by NVLink.
    pub nvlink: bool,
    /// Bandwidth from the internet.
    pub inet_down_mbps: i32,
    /// Version of the GPU driver.
    #[schema(example = "550.54.15")]
    pub driver: Option<String>,
    /// The newest CUDA that the driver supports.
    #[schema(example = "12.4")]
    pub cuda_max: Option<String>,
    /// Whether its devices are known to be what they are said to be.
    pub verified: bool,
    /// Share of time in which it kept its promises, from 0 to 1.
    #[schema(example = 0.998)]
    pub reliability: f64,
    /// When its agent was last heard of.
    #[serde(with = "wire::timestamp::option")]
    pub heartbeat_at: Option<OffsetDateTime>,
    /// Its devices.
    pub devices: Vec<DeviceView>,
    /// Its live asks.
    pub asks: Vec<AskView>,
    /// What can be done with it right now.
    #[schema(example = json!(["drain"]))]
    pub actions: Vec<&'static str>,
    /// When it was added.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
    /// Raised by every change of the node itself.
    pub version: i64,
}

/// A GPU, or a slice of one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Device)]
pub struct DeviceView {
    /// Identity, which survives rescans.
    #[schema(example = "dev_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The class it is traded as.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// What its driver calls it.
    #[schema(example = "GPU-0193d5c2-a1b0-7c3e-8f4d-2a6b9c0e1f23")]
    pub uuid: String,
    /// Its place in the node.
    pub slot: i32,
    /// What it is doing: `free`, `leased`, `repartitioning`, `draining`, `faulty`.
    #[schema(example = "leased")]
    pub state: &'static str,
    /// The rental that holds it.
    pub rental_id: Option<String>,
}

impl From<Device> for DeviceView {
    fn from(device: Device) -> Self {
        Self {
            id: device.id.to_string(),
            class_id: device.class.to_string(),
            uuid: device.uuid,
            slot: device.slot,
            state: state_name(device.state),
            rental_id: device.rental.map(|id| id.to_string()),
        }
    }
}

impl From<ListedNode> for NodeView {
    fn from(ListedNode { node, devices, asks }: ListedNode) -> Self {
        let hardware = node.hardware;
        Self {
            id: node.id.to_string(),
            provider_id: node.provider.to_string(),
            pool_id: node.pool.to_string(),
            name: node.name,
            adapter: node.adapter,
            state: node.state,
            region: node.region,
            cpu_milli: hardware.cpu_milli,
            memory_mib: hardware.memory_mib,
            nvlink: hardware.nvlink,
            inet_down_mbps: hardware.inet_down_mbps,
            driver: hardware.driver.map(|version| version.to_string()),
            cuda_max: hardware.cuda_max.map(|version| version.to_string()),
            verified: node.verified,
            reliability: wire::share(node.reliability_ppm),
            heartbeat_at: node.heartbeat_at,
            devices: devices.into_iter().map(DeviceView::from).collect(),
            asks: asks.into_iter().map(AskView::from).collect(),
            actions: node.state.actions().to_vec(),
            created_at: node.created_at,
            version: node.version,
        }
    }
}
