//! `DELETE /v1/ssh-keys/{id}`

use actix_web::web::Data;
use actix_web::{HttpResponse, delete};
use scheduler::world::ids::SshKeyId;

use crate::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, PathId as _};
use crate::http::openapi::Refusals;
use crate::http::permission::WriteKeys;
use crate::store::ssh_keys;

/// Remove an SSH key
#[utoipa::path(
    tag = "identity",
    operation_id = "remove_ssh_key",
    params(("id" = String, Path, description = "The key")),
    responses((status = 204), Refusals)
)]
#[delete("/v1/ssh-keys/{id}")]
pub async fn remove(
    allowed: Allowed<WriteKeys>,
    id: Id<SshKeyId>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    if !ssh_keys::remove(&mut ctx.tx, ctx.caller.organisation, id.0).await? {
        return Err(Problem::not_found(SshKeyId::NOUN));
    }
    ctx.tx.commit().await?;
    Ok(HttpResponse::NoContent().finish())
}
