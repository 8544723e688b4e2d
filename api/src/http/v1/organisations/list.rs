//! `GET /v1/organisations`

use actix_web::get;
use actix_web::web::{self, Data};

use super::MembershipView;
use crate::State;
use crate::app::Via;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Authenticated;
use crate::store::organisations;

/// List the organisations you belong to
///
/// Switch with `POST /v1/auth/refresh`. An API key sees only the organisation that it belongs to.
#[utoipa::path(tag = "identity", operation_id = "list_organisations", params(Page), responses((status = 200, body = List<MembershipView>), Refusals))]
#[get("/v1/organisations")]
pub async fn list(
    allowed: Allowed<Authenticated>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<MembershipView>>, Problem> {
    let cursor = page.0.parse()?;
    let caller = allowed.caller;
    let mut tx = state.begin_snapshot().await?;
    let mut rows = organisations::memberships(&mut tx, caller.user, cursor.before, cursor.rows()).await?;
    if caller.via != Via::Token {
        rows.retain(|row| row.organisation.id == caller.organisation);
    }
    let list = List::cut(rows, cursor, |row| row.organisation.id.uuid(), MembershipView::try_from);
    Ok(web::Json(list.transpose()?))
}
