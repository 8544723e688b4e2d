//! A provider adds a node whose workloads are simulated. Only where the server allows it: what it sells is not real.

use scheduler::world::ids::{DeviceId, PoolId, ProviderId};

use super::listed_node::{ListedNode, complete_one};
use super::{Ctx, Name, supply_events};
use crate::node::{Adapter, DeviceGroup, Hardware, NodeState, Region, lay_out};
use crate::store::nodes::{self, NewNode};
use crate::store::{StoreError, device_classes, devices, events, pools, providers};

/// What is added.
#[derive(Debug, Clone)]
pub struct SimulatedNode {
    /// To whom it belongs.
    pub provider: ProviderId,
    /// Where it is cleared.
    pub pool: PoolId,
    /// What the provider calls it.
    pub name: Name,
    /// Where it pretends to be.
    pub region: Region,
    /// What it pretends to have.
    pub hardware: Hardware,
    /// Its devices by class.
    pub groups: Vec<DeviceGroup>,
}

/// Why a simulated node was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddNodeError {
    /// The server sells real devices only.
    #[error("this server takes no simulated nodes; start it with --allow-simulated, or enrol a real one")]
    NotAllowed,
    /// No such provider of the organisation.
    #[error("there is no such provider")]
    NoSuchProvider,
    /// No such pool.
    #[error("there is no such pool; GET /v1/pools lists them")]
    NoSuchPool,
    /// The provider is paid in another currency than the pool's.
    #[error("the pool trades in {pool} and the provider is paid in {provider}; choose a pool in {provider}")]
    OtherCurrency {
        /// The pool's currency.
        pool: String,
        /// The provider's currency.
        provider: String,
    },
    /// No such class.
    #[error("there is no device class {0}; GET /v1/device-classes lists them")]
    NoSuchClass(String),
    /// The provider has a node of that name.
    #[error("this provider has a node of that name; choose another")]
    NameTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds the node with its devices, ready at once.
pub async fn add_simulated_node(
    ctx: &mut Ctx<'_>,
    allowed: bool,
    wanted: SimulatedNode,
) -> Result<ListedNode, AddNodeError> {
    if !allowed {
        return Err(AddNodeError::NotAllowed);
    }
    let organisation = ctx.caller.organisation;
    let provider =
        providers::find(&mut ctx.tx, organisation, wanted.provider).await?.ok_or(AddNodeError::NoSuchProvider)?;
    let pool = pools::find(&mut ctx.tx, wanted.pool).await?.ok_or(AddNodeError::NoSuchPool)?;
    if pool.currency != provider.currency {
        return Err(AddNodeError::OtherCurrency { pool: pool.currency, provider: provider.currency });
    }
    let named: Vec<_> = wanted.groups.iter().map(|group| group.class.clone()).collect();
    let known = device_classes::named(&mut ctx.tx, &named).await?;
    let mut groups = Vec::new();
    for group in &wanted.groups {
        let class = known.iter().find(|class| class.id == group.class);
        let class = class.ok_or_else(|| AddNodeError::NoSuchClass(group.class.to_string()))?;
        groups.push((class.clone(), group.count));
    }

    let node = NewNode {
        id: ctx.id(),
        pool: pool.id,
        provider: provider.id,
        name: wanted.name.as_str().to_owned(),
        adapter: Adapter::Simulated,
        state: NodeState::Ready,
        region: wanted.region.as_str().to_owned(),
        hardware: wanted.hardware,
        // There is nothing to verify: the simulation is what it says it is.
        verified: true,
        public_key: None,
    };
    let laid_out = lay_out(&groups, &mut || ctx.id());
    let new_devices: Vec<(DeviceId, _)> = laid_out.into_iter().map(|device| (ctx.id(), device)).collect();
    nodes::insert(&mut ctx.tx, &node, ctx.now).await.map_err(|error| match error {
        error if error.violates(nodes::NAME_TAKEN) => AddNodeError::NameTaken,
        error => error.into(),
    })?;
    devices::insert(&mut ctx.tx, pool.id, node.id, &new_devices, ctx.now).await?;
    let node = node.loaded(ctx.now);
    let told = [
        supply_events::of_node(ctx, "node.enrolled", &node, node.state),
        supply_events::of_node(ctx, "node.ready", &node, node.state),
    ];
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(complete_one(&mut ctx.tx, node).await?)
}
