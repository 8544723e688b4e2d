//! `GET /v1/admin/alerts`

use actix_web::get;
use actix_web::web::{self, Data};

use super::AlertView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::store::alerts;

/// List alerts
///
/// Open and resolved ones, newest first. One kind of trouble in one pool has one open alert, however often it is seen.
#[utoipa::path(tag = "operators", operation_id = "list_alerts", params(Page), responses((status = 200, body = List<AlertView>), Refusals))]
#[get("/v1/admin/alerts")]
pub async fn list(
    _: Allowed<Operate>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<AlertView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = alerts::list(&mut tx, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |alert| alert.id.uuid(), AlertView::from)))
}
