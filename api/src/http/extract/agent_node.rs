//! A node that presents its own token. People's tokens and API keys do not count here, nor this one anywhere else.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use scheduler::world::ids::NodeId;

use crate::State;
use crate::app::auth::NodeClaims;
use crate::http::error::{Code, Problem};
use crate::http::middleware::authentication::bearer;

/// Proof that a node is calling.
#[derive(Debug, Clone, Copy)]
pub struct AgentNode(pub NodeId);

impl FromRequest for AgentNode {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<Data<State>>().expect("every server has its state");
        let claims = bearer(request)
            .and_then(|token| state.identity.keys.verify_as::<NodeClaims>(token, state.clock.now()).ok());
        ready(claims.map(|claims| Self(claims.sub)).ok_or_else(|| {
            let detail = "send `Authorization: Bearer` with a token from POST /v1/agent/token";
            Problem::new(Code::Unauthenticated, detail)
        }))
    }
}
