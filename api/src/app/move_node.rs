//! A provider drains a node, or brings it back. Draining hurts nothing that runs: no new rental starts, and what can be
//! interrupted gets its notice from the next round.

use scheduler::world::ids::NodeId;

use super::listed_node::{ListedNode, complete_one};
use super::{Ctx, supply_events};
use crate::node::{NodeState, NodeStateError};
use crate::store::nodes::{self, Node};
use crate::store::{StoreError, events};

/// Where the node is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Out of the market, gently.
    Drain,
    /// Back.
    Resume,
}

/// Why a node was not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveNodeError {
    /// No such node of the organisation.
    #[error("there is no such node")]
    NoSuchNode,
    /// Its state does not allow it.
    #[error(transparent)]
    State(#[from] NodeStateError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Moves the node. Where it is there already, nothing changes.
pub async fn move_node(ctx: &mut Ctx<'_>, id: NodeId, step: Move) -> Result<ListedNode, MoveNodeError> {
    let organisation = ctx.caller.organisation;
    let node = nodes::find(&mut ctx.tx, organisation, id).await?.ok_or(MoveNodeError::NoSuchNode)?;
    let (to, kind) = match step {
        Move::Drain => (node.state.drain()?, "node.draining"),
        Move::Resume => (node.state.resume()?, "node.ready"),
    };
    if to == node.state {
        return Ok(complete_one(&mut ctx.tx, node).await?);
    }
    let moved = transition(ctx, node, to, kind).await?;
    Ok(complete_one(&mut ctx.tx, moved).await?)
}

async fn transition(ctx: &mut Ctx<'_>, node: Node, to: NodeState, kind: &'static str) -> Result<Node, StoreError> {
    nodes::transition(&mut ctx.tx, &node, to).await?;
    let told = [supply_events::of_node(ctx, kind, &node, to)];
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(Node { state: to, version: node.version + 1, ..node })
}
