//! `GET /v1/api-keys`

use actix_web::get;
use actix_web::web::{self, Data};

use super::ApiKeyView;
use crate::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Administer;
use crate::store::api_keys;

/// List the organisation's API keys
///
/// Without those that were revoked.
#[utoipa::path(tag = "identity", operation_id = "list_api_keys", params(Page), responses((status = 200, body = List<ApiKeyView>), Refusals))]
#[get("/v1/api-keys")]
pub async fn list(
    allowed: Allowed<Administer>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<ApiKeyView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = api_keys::list(&mut tx, allowed.caller.organisation, cursor.before, cursor.rows()).await?;
    let list = List::cut(rows, cursor, |row| row.id.uuid(), ApiKeyView::try_from);
    Ok(web::Json(list.transpose()?))
}
