//! `GET /v1/profiles`

use actix_web::get;
use actix_web::web::{self, Data};

use super::ProfileView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{List, Page, Public, Query};
use crate::http::openapi::Refusals;
use crate::store::profiles;

/// List the profiles
///
/// Each with its speeds and where they come from.
#[utoipa::path(tag = "market", operation_id = "list_profiles", params(Page), responses((status = 200, body = List<ProfileView>), Refusals), security(()))]
#[get("/v1/profiles")]
pub async fn list(_: Public, page: Query<Page>, state: Data<State>) -> Result<web::Json<List<ProfileView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = profiles::list(&mut tx, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id.uuid(), ProfileView::from)))
}
