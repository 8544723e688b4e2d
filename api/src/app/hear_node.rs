//! A node says how its workloads fare and is told what should run. What it says is only written down here; rentals follow
//! their workloads in the provisioning loop, whoever runs them.

use std::collections::BTreeSet;

use scheduler::world::ids::NodeId;

use super::enrol_node::tell;
use super::{Ctx, Nobody};
use crate::node::NodeState;
use crate::rental::ClientToken;
use crate::store::workloads::{self, Desired, Report};
use crate::store::{StoreError, agents};

/// Why a node was not heard.
#[derive(Debug, thiserror::Error)]
pub enum HearNodeError {
    /// There is no such node any more.
    #[error("there is no such node any more")]
    NoSuchNode,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the node should run or get rid of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Everything that the market knows of there.
    pub desired: Vec<Desired>,
    /// What the node has and nobody knows, or knows to be over: it should be gone.
    pub strays: Vec<ClientToken>,
    /// Whether the node came (back) into the market.
    pub ready: bool,
}

/// Writes down what the node said, and says what should run.
pub async fn hear_node(ctx: &mut Ctx<'_, Nobody>, id: NodeId, reports: &[Report]) -> Result<Told, HearNodeError> {
    let node = agents::lock(&mut ctx.tx, id).await?.ok_or(HearNodeError::NoSuchNode)?;
    let state = node.state.heard();
    agents::heard(&mut ctx.tx, &node, state, ctx.now).await?;
    let ready = node.state != state && state == NodeState::Ready;
    if ready {
        tell(ctx, "node.ready", &node, state).await?;
    }
    let known: BTreeSet<_> = workloads::report(&mut ctx.tx, id, reports, ctx.now).await?.into_iter().collect();
    let mentioned: Vec<_> = reports.iter().map(|report| report.token).collect();
    workloads::unreported(&mut ctx.tx, id, &mentioned).await?;
    let desired = workloads::desired_on(&mut ctx.tx, id).await?;
    let strays = mentioned.into_iter().filter(|token| !known.contains(token)).collect();
    Ok(Told { desired, strays, ready })
}
