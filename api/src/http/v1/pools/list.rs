//! `GET /v1/pools`

use actix_web::get;
use actix_web::web::{self, Data};

use super::PoolView;
use crate::app::market_pool::complete;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{List, Page, Public, Query};
use crate::http::openapi::Refusals;
use crate::store::pools;

/// List the pools
///
/// With what is for sale in them and at what price.
#[utoipa::path(tag = "market", operation_id = "list_pools", params(Page), responses((status = 200, body = List<PoolView>), Refusals), security(()))]
#[get("/v1/pools")]
pub async fn list(_: Public, page: Query<Page>, state: Data<State>) -> Result<web::Json<List<PoolView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = pools::list(&mut tx, cursor.before, cursor.rows()).await?;
    let rows = complete(&mut tx, rows, state.clock.now()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.pool.id.uuid(), PoolView::from)))
}
