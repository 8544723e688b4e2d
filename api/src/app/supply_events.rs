//! The events by which a provider follows its nodes and asks.

use scheduler::world::ids::OrganisationId;
use serde_json::json;

use super::Ctx;
use crate::node::NodeState;
use crate::store::asks::Ask;
use crate::store::events::NewEvent;
use crate::store::nodes::Node;

/// What is told about a node.
#[must_use]
pub fn of_node(ctx: &Ctx<'_>, kind: &'static str, node: &Node, state: NodeState) -> NewEvent {
    NewEvent {
        id: ctx.id(),
        organisation: Some(ctx.caller.organisation),
        provider: Some(node.provider),
        pool: None,
        kind,
        subject: node.id.to_string(),
        body: json!({"node_id": node.id, "name": node.name, "pool_id": node.pool, "state": state}),
    }
}

/// What is told about an ask.
#[must_use]
pub fn of_ask(ctx: &Ctx<'_>, organisation: OrganisationId, kind: &'static str, ask: &Ask) -> NewEvent {
    NewEvent {
        id: ctx.id(),
        organisation: Some(organisation),
        provider: Some(ask.provider),
        pool: None,
        kind,
        subject: ask.id.to_string(),
        body: json!({
            "ask_id": ask.id, "node_id": ask.node, "class_id": ask.class, "currency": ask.currency,
            "price_per_gpu_hour": ask.price.to_string(), "floor_per_gpu_hour": ask.floor.to_string(),
        }),
    }
}
