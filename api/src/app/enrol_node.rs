//! A node enrols: its one-use token makes it a node of the token's provider, known by its key from then on.

use scheduler::world::ids::NodeId;

use super::sync_devices::sync_devices;
use super::{Ctx, Name, Nobody};
use crate::entropy::Secret;
use crate::node::{Adapter, FoundDevice, Hardware, NodeState};
use crate::store::agents::AgentNode;
use crate::store::events::NewEvent;
use crate::store::nodes::{self, NewNode};
use crate::store::{StoreError, agents, enrolment_tokens, events};

/// What a node says when it enrols.
#[derive(Debug, Clone)]
pub struct Enrolment {
    /// The one-use token.
    pub token: Secret,
    /// Its name.
    pub name: Name,
    /// Its public key.
    pub public_key: [u8; 32],
    /// What it has besides devices.
    pub hardware: Hardware,
    /// Its devices, checked by [`crate::node::check_found`].
    pub devices: Vec<FoundDevice>,
}

/// An enrolled node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrolled {
    /// Which.
    pub node: NodeId,
    /// Devices of models that the market does not know.
    pub unknown: Vec<String>,
}

/// Why a node was not enrolled.
#[derive(Debug, thiserror::Error)]
pub enum EnrolNodeError {
    /// Unknown, used or expired.
    #[error("this enrolment token is unknown, was used, or has expired; ask the provider for a new one")]
    Token,
    /// The provider has a node of that name.
    #[error("the provider has a node of that name; choose another with --name")]
    NameTaken,
    /// The key belongs to somebody else's node.
    #[error("this node's key is enrolled elsewhere; start with an empty --data-dir to enrol as a new node")]
    KeyTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Enrols the node. A node that comes again with its key, by the same token or by a new one of the same provider, is the
/// node that it was, with its rentals.
pub async fn enrol_node(ctx: &mut Ctx<'_, Nobody>, enrolment: &Enrolment) -> Result<Enrolled, EnrolNodeError> {
    let known = agents::with_key(&mut ctx.tx, &enrolment.public_key).await?;
    let id = known.as_ref().map_or_else(|| ctx.id(), |node| node.id);
    let hash = enrolment.token.hash();
    let claimed = enrolment_tokens::claim(&mut ctx.tx, &hash, id, ctx.now).await?;
    match (known, claimed) {
        (Some(node), Some(place)) if (node.provider, node.pool) == place => come_again(ctx, &node, enrolment).await,
        (Some(_), Some(_)) => Err(EnrolNodeError::KeyTaken),
        (Some(node), None) if agents::enrolled_by(&mut ctx.tx, node.id, &hash).await? => {
            come_again(ctx, &node, enrolment).await
        }
        (_, None) => Err(EnrolNodeError::Token),
        (None, Some((provider, pool))) => {
            let node = NewNode {
                id,
                pool,
                provider,
                name: enrolment.name.as_str().to_owned(),
                adapter: Adapter::Agent,
                state: NodeState::Enrolling,
                region: "local".to_owned(),
                hardware: enrolment.hardware.clone(),
                verified: false,
                public_key: Some(enrolment.public_key.to_vec()),
            };
            nodes::insert(&mut ctx.tx, &node, ctx.now).await.map_err(|error| match error {
                error if error.violates(nodes::NAME_TAKEN) => EnrolNodeError::NameTaken,
                error => error.into(),
            })?;
            let sync = sync_devices(&mut ctx.tx, ctx.entropy, pool, id, &enrolment.devices, ctx.now).await?;
            let node =
                agents::find(&mut ctx.tx, id).await?.ok_or_else(|| StoreError::corrupt("node", "it vanished"))?;
            tell(ctx, "node.enrolled", &node, node.state).await?;
            Ok(Enrolled { node: id, unknown: sync.unknown })
        }
    }
}

async fn come_again(
    ctx: &mut Ctx<'_, Nobody>,
    node: &AgentNode,
    enrolment: &Enrolment,
) -> Result<Enrolled, EnrolNodeError> {
    agents::rescan(&mut ctx.tx, node.id, &enrolment.hardware).await?;
    let sync = sync_devices(&mut ctx.tx, ctx.entropy, node.pool, node.id, &enrolment.devices, ctx.now).await?;
    super::lose_devices::lose_devices(&mut ctx.tx, ctx.entropy, &sync.missing_leased, ctx.now).await?;
    Ok(Enrolled { node: node.id, unknown: sync.unknown })
}

/// Tells the provider, and whoever follows the pool, what became of a node.
pub(super) async fn tell<C>(
    ctx: &mut Ctx<'_, C>,
    kind: &'static str,
    node: &AgentNode,
    state: NodeState,
) -> Result<(), StoreError> {
    let told = NewEvent {
        id: ctx.id(),
        organisation: Some(node.organisation),
        provider: Some(node.provider),
        pool: None,
        kind,
        subject: node.id.to_string(),
        body: serde_json::json!({ "node_id": node.id, "name": node.name, "pool_id": node.pool, "state": state }),
    };
    events::record(&mut ctx.tx, &[told], ctx.now).await
}
