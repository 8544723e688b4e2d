//! `POST /v1/agent/token`

use actix_web::post;
use actix_web::web::{self, Data};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::issue_node_token::{NodeTokenError, Proof, issue_node_token};
use crate::config::limits;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;
use crate::http::{State, wire};

/// A node that proves who it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskToken {
    /// Which node.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    node_id: String,
    /// The server's time, as `GET /v1/agent/time` said it.
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    at: String,
    /// Over the lines `souk node token`, `node_id` and `at`, by the node's key, in base64.
    signature: String,
}

/// A token for a node.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NodeToken)]
pub struct TokenView {
    /// What to present from now on.
    token: String,
    /// For how long.
    #[schema(example = 900)]
    expires_in_seconds: u64,
}

impl AskToken {
    fn parse(self) -> Result<Proof, Problem> {
        let refused = |detail: &str, field: &str| Problem::new(Code::InvalidValue, detail).field(field);
        let node = self.node_id.parse().map_err(|_| refused("this is no id of a node", "node_id"))?;
        let instant =
            wire::timestamp::parse(&self.at).ok_or_else(|| refused("a time looks like 2026-01-31T12:00:00Z", "at"))?;
        let bytes = STANDARD.decode(&self.signature).ok().and_then(|bytes| bytes.try_into().ok());
        let signature = bytes.ok_or_else(|| refused("a signature is 64 bytes in base64", "signature"))?;
        Ok(Proof { node, at: self.at, instant, signature })
    }
}

/// Exchange a signature for a token
///
/// The node signs the server's time with the key that it enrolled with.
#[utoipa::path(tag = "agents", operation_id = "issue_node_token", request_body = AskToken,
    responses((status = 200, body = TokenView), Refusals), security(()))]
#[post("/v1/agent/token")]
pub async fn issue(_public: Public, body: Json<AskToken>, state: Data<State>) -> Result<web::Json<TokenView>, Problem> {
    let proof = body.0.parse()?;
    let mut ctx = state.begin_anonymous().await?;
    let token = issue_node_token(&mut ctx, &state.identity.keys, &proof).await?;
    Ok(web::Json(TokenView { token: token.reveal().to_owned(), expires_in_seconds: limits::NODE_TOKEN.as_secs() }))
}

impl From<NodeTokenError> for Problem {
    fn from(error: NodeTokenError) -> Self {
        match error {
            NodeTokenError::NotProven | NodeTokenError::NotNow => Self::new(Code::Unauthenticated, error),
            NodeTokenError::Store(error) => error.into(),
        }
    }
}
