//! What a node's token says.

use scheduler::world::ids::NodeId;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::SignedClaims;
use crate::config::limits;

/// The claims of a node's token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeClaims {
    iss: String,
    /// The node.
    pub sub: NodeId,
    exp: i64,
}

impl NodeClaims {
    /// The claims of a token issued now.
    #[must_use]
    pub fn issued(node: NodeId, now: OffsetDateTime) -> Self {
        Self { iss: Self::ISSUER.to_owned(), sub: node, exp: (now + limits::NODE_TOKEN).unix_timestamp() }
    }
}

impl SignedClaims for NodeClaims {
    const ISSUER: &'static str = "souk nodes";
    fn expires(&self) -> i64 {
        self.exp
    }
}
