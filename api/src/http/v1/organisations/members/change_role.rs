//! `PATCH /v1/organisations/{id}/members/{user_id}`

use actix_web::web::{self, Data};
use actix_web::{HttpRequest, patch};
use scheduler::world::ids::{OrganisationId, UserId};
use serde::Deserialize;
use utoipa::ToSchema;

use super::MemberView;
use crate::State;
use crate::app::Role;
use crate::app::members::change_role::change_role as run;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, Json, PathId as _};
use crate::http::openapi::Refusals;
use crate::http::permission::Administer;

/// The role from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRole {
    /// What the person may do.
    role: Role,
}

/// Change a member's role
///
/// Counts at once: the member's access tokens are withdrawn, and the next refresh carries the new role. Only owners make
/// and unmake owners; the last owner stays one.
#[utoipa::path(
    tag = "identity",
    operation_id = "change_member_role",
    params(("id" = String, Path, description = "The organisation you act for"), ("user_id" = String, Path, description = "The member")),
    request_body = ChangeRole,
    responses((status = 200, body = MemberView), Refusals)
)]
#[patch("/v1/organisations/{id}/members/{user_id}")]
pub async fn change_role(
    allowed: Allowed<Administer>,
    id: Id<OrganisationId>,
    request: HttpRequest,
    body: Json<ChangeRole>,
    state: Data<State>,
) -> Result<web::Json<MemberView>, Problem> {
    let user = UserId::in_path(&request, "user_id")?;
    let mut ctx = state.begin(allowed.caller).await?;
    let member = run(&mut ctx, &state.identity, id.0, user, body.0.role).await?;
    ctx.tx.commit().await?;
    Ok(web::Json(member.try_into()?))
}
