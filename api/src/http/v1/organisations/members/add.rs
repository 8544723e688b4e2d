//! `POST /v1/organisations/{id}/members`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::ids::OrganisationId;
use serde::Deserialize;
use utoipa::ToSchema;

use super::MemberView;
use crate::State;
use crate::app::Role;
use crate::app::auth::Email;
use crate::app::members::add::add_member;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Administer;

/// Who joins, and as what.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddMember {
    /// The address the person signed up with.
    #[schema(example = "ben@example.org")]
    email: String,
    /// What the person may do.
    role: Role,
}

/// Add a member
///
/// The person must have signed up. Only owners make owners.
#[utoipa::path(
    tag = "identity",
    operation_id = "add_member",
    params(("id" = String, Path, description = "The organisation you act for")),
    request_body = AddMember,
    responses((status = 201, body = MemberView), Refusals)
)]
#[post("/v1/organisations/{id}/members")]
pub async fn add(
    allowed: Allowed<Administer>,
    id: Id<OrganisationId>,
    body: Json<AddMember>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let email = Email::parse(&body.0.email)
        .ok_or_else(|| Problem::new(Code::InvalidValue, "this is not an email address").field("email"))?;
    let mut ctx = state.begin(allowed.caller).await?;
    let member = add_member(&mut ctx, id.0, &email, body.0.role).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(MemberView::try_from(member)?))
}
