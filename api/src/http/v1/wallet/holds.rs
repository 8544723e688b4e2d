//! `GET /v1/wallet/holds`

use actix_web::get;
use actix_web::web::{self, Data};

use super::HoldView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::ReadMoney;
use crate::store::wallet;

/// List what is set aside
///
/// One hold for each live bid, job and on-demand rental.
#[utoipa::path(tag = "money", operation_id = "list_holds", params(Page), responses((status = 200, body = List<HoldView>), Refusals))]
#[get("/v1/wallet/holds")]
pub async fn list(
    allowed: Allowed<ReadMoney>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<HoldView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = wallet::holds(&mut tx, allowed.caller.organisation, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id, HoldView::from)))
}
