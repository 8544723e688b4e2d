//! `DELETE /v1/organisations/{id}/members/{user_id}`

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, delete};
use scheduler::world::ids::{OrganisationId, UserId};

use crate::State;
use crate::app::members::remove::remove_member;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, PathId as _};
use crate::http::openapi::Refusals;
use crate::http::permission::Person;

/// Remove a member, or leave
///
/// Admins remove others, everybody may leave; the last owner stays. API keys that the person made stop counting.
#[utoipa::path(
    tag = "identity",
    operation_id = "remove_member",
    params(("id" = String, Path, description = "The organisation you act for"), ("user_id" = String, Path, description = "The member")),
    responses((status = 204), Refusals)
)]
#[delete("/v1/organisations/{id}/members/{user_id}")]
pub async fn remove(
    allowed: Allowed<Person>,
    id: Id<OrganisationId>,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let user = UserId::in_path(&request, "user_id")?;
    let mut ctx = state.begin(allowed.caller).await?;
    remove_member(&mut ctx, &state.identity, id.0, user).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::NoContent().finish())
}
