//! `POST /v1/providers/{id}/enrolment-tokens`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::ids::ProviderId;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::create_enrolment_token::{EnrolmentTokenError, create_enrolment_token as run};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;
use crate::http::{State, field, wire};

/// Where the node is to be cleared.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateEnrolmentToken {
    /// The pool.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pool_id: String,
}

/// A one-use permission to add a node. Shown once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EnrolmentToken)]
pub struct EnrolmentTokenView {
    /// Identity.
    #[schema(example = "enr_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    id: String,
    /// The secret.
    #[schema(example = "enrol_p2oYb1x0W5o9s4mC8dEwq7tZkq1uVn3hLr6yAeJfG0I")]
    token: String,
    /// Until when it can be used.
    #[serde(with = "wire::timestamp")]
    expires_at: OffsetDateTime,
    /// What to run on the node.
    #[schema(example = "souk agent --server https://souk.example --token enrol_…")]
    command: String,
}

/// Make an enrolment token
///
/// Good for one node and one day. Run the command on the node: it finds its devices and enrols itself.
#[utoipa::path(tag = "supply", operation_id = "create_enrolment_token", params(("id" = String, Path, description = "The provider")), request_body = CreateEnrolmentToken, responses((status = 201, body = EnrolmentTokenView), Refusals))]
#[post("/v1/providers/{id}/enrolment-tokens")]
pub async fn create_enrolment_token(
    allowed: Allowed<Supply>,
    id: Id<ProviderId>,
    body: Json<CreateEnrolmentToken>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let pool = field::id("pool_id", &body.0.pool_id)?;
    let mut ctx = state.begin(allowed.caller).await?;
    let token = run(&mut ctx, id.0, pool).await?;
    ctx.tx.commit().await?;
    let secret = token.secret.reveal().to_owned();
    let command = format!("souk agent --server {} --token {secret}", state.config.reachable_at());
    let view = EnrolmentTokenView { id: token.id.to_string(), token: secret, expires_at: token.expires_at, command };
    Ok(HttpResponse::Created().json(view))
}

impl From<EnrolmentTokenError> for Problem {
    fn from(error: EnrolmentTokenError) -> Self {
        match error {
            EnrolmentTokenError::NoSuchProvider => Self::not_found("provider"),
            EnrolmentTokenError::NoSuchPool => field::invalid("pool_id", error),
            EnrolmentTokenError::OtherCurrency { .. } => Self::new(Code::OtherCurrency, error).field("pool_id"),
            EnrolmentTokenError::Store(store) => store.into(),
        }
    }
}
