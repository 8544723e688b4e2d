//! `GET /v1/admin/organisations`

use actix_web::get;
use actix_web::web::{self, Data};

use super::OrganisationFundsView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::store::admin;

/// List all organisations and their money
#[utoipa::path(tag = "operators", operation_id = "list_all_organisations", params(Page),
    responses((status = 200, body = List<OrganisationFundsView>), Refusals))]
#[get("/v1/admin/organisations")]
pub async fn list(
    _: Allowed<Operate>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<OrganisationFundsView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = admin::organisations(&mut tx, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id.uuid(), OrganisationFundsView::from)))
}
