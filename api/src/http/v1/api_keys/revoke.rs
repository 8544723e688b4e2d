//! `DELETE /v1/api-keys/{id}`

use actix_web::web::Data;
use actix_web::{HttpResponse, delete};
use scheduler::world::ids::ApiKeyId;

use crate::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, PathId as _};
use crate::http::openapi::Refusals;
use crate::http::permission::Administer;
use crate::store::api_keys;

/// Revoke an API key
///
/// Counts at once on this server, and within five seconds on every other.
#[utoipa::path(
    tag = "identity",
    operation_id = "revoke_api_key",
    params(("id" = String, Path, description = "The key")),
    responses((status = 204), Refusals)
)]
#[delete("/v1/api-keys/{id}")]
pub async fn revoke(
    allowed: Allowed<Administer>,
    id: Id<ApiKeyId>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    if !api_keys::revoke(&mut ctx.tx, ctx.caller.organisation, id.0, ctx.now).await? {
        return Err(Problem::not_found(ApiKeyId::NOUN));
    }
    ctx.tx.commit().await?;
    state.identity.api_keys.forget(id.0);
    Ok(HttpResponse::NoContent().finish())
}
