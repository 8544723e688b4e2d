//! A node proves who it is by its key, and gets a token for a quarter of an hour.

use ed25519_dalek::{Signature, VerifyingKey};
use scheduler::world::ids::NodeId;
use souk_agent::protocol::token_message;

use super::auth::{KeyRing, NodeClaims};
use super::{Ctx, Nobody};
use crate::config::limits;
use crate::entropy::Secret;
use crate::node::NodeState;
use crate::store::{StoreError, agents};

/// What a node presents.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Which node.
    pub node: NodeId,
    /// The time that it signed, as the server had said it.
    pub at: String,
    /// That time as an instant.
    pub instant: time::OffsetDateTime,
    /// Over [`token_message`].
    pub signature: [u8; 64],
}

/// Why a node got no token.
#[derive(Debug, thiserror::Error)]
pub enum NodeTokenError {
    /// No such node, or not its signature: which of them is nobody's business.
    #[error("this is not the signature of such a node")]
    NotProven,
    /// The signed time is not the present.
    #[error("the signed time is not the present; get the time from GET /v1/agent/time and sign that")]
    NotNow,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Issues a token to a node that has signed the present.
pub async fn issue_node_token(
    ctx: &mut Ctx<'_, Nobody>,
    keys: &KeyRing,
    proof: &Proof,
) -> Result<Secret, NodeTokenError> {
    if (ctx.now - proof.instant).abs() > limits::NODE_TOKEN_ASKED {
        return Err(NodeTokenError::NotNow);
    }
    let node = agents::find(&mut ctx.tx, proof.node).await?.ok_or(NodeTokenError::NotProven)?;
    let key: [u8; 32] =
        node.public_key.try_into().map_err(|_| StoreError::corrupt("public key", "it has not 32 bytes"))?;
    let key = VerifyingKey::from_bytes(&key).map_err(|error| StoreError::corrupt("public key", error))?;
    let message = token_message(&proof.node.to_string(), &proof.at);
    let proven = key.verify_strict(message.as_bytes(), &Signature::from_bytes(&proof.signature)).is_ok();
    if !proven || node.state == NodeState::Retired {
        return Err(NodeTokenError::NotProven);
    }
    Ok(keys.sign(&NodeClaims::issued(proof.node, ctx.now)))
}
