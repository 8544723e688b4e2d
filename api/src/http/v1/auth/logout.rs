//! `POST /v1/auth/logout`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::State;
use crate::app::logout::logout as run;
use crate::entropy::Secret;
use crate::http::error::Problem;
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;

/// Which session ends.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Logout {
    /// Any refresh token of the session.
    #[schema(example = "soukr_0yK5vYv3…")]
    refresh_token: String,
}

/// Log out
///
/// Ends the session: neither its refresh token nor its access tokens count any more. Ending one that has ended is fine.
#[utoipa::path(tag = "identity", operation_id = "logout", request_body = Logout, responses((status = 204), Refusals), security(()))]
#[post("/v1/auth/logout")]
pub async fn logout(_: Public, body: Json<Logout>, state: Data<State>) -> Result<HttpResponse, Problem> {
    let presented = Secret::presented(&body.0.refresh_token);
    let mut ctx = state.begin_anonymous().await?;
    run(&mut ctx, &state.identity, &presented).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::NoContent().finish())
}
