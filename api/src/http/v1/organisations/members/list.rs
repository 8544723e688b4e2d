//! `GET /v1/organisations/{id}/members`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::OrganisationId;

use super::MemberView;
use crate::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::members;

/// List the members of your organisation
#[utoipa::path(
    tag = "identity",
    operation_id = "list_members",
    params(("id" = String, Path, description = "The organisation you act for"), Page),
    responses((status = 200, body = List<MemberView>), Refusals)
)]
#[get("/v1/organisations/{id}/members")]
pub async fn list(
    allowed: Allowed<Read>,
    id: Id<OrganisationId>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<MemberView>>, Problem> {
    if id.0 != allowed.caller.organisation {
        return Err(Problem::not_found("organisation"));
    }
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = members::list(&mut tx, id.0, cursor.before, cursor.rows()).await?;
    let list = List::cut(rows, cursor, |row| row.user_id.uuid(), MemberView::try_from);
    Ok(web::Json(list.transpose()?))
}
