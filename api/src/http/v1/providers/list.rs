//! `GET /v1/providers`

use actix_web::get;
use actix_web::web::{self, Data};

use super::ProviderView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::providers;

/// List the organisation's providers
#[utoipa::path(tag = "supply", operation_id = "list_providers", params(Page), responses((status = 200, body = List<ProviderView>), Refusals))]
#[get("/v1/providers")]
pub async fn list(
    allowed: Allowed<Read>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<ProviderView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = providers::list(&mut tx, allowed.caller.organisation, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id.uuid(), ProviderView::from)))
}
