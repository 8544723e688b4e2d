//! `GET /v1/pools/{id}`

use actix_web::get;
use actix_web::web::Data;
use scheduler::world::ids::PoolId;

use super::PoolView;
use crate::app::market_pool::complete_one;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::{Id, Public};
use crate::http::openapi::Refusals;
use crate::store::pools;

/// Get a pool
///
/// With what is for sale in it and at what price.
#[utoipa::path(tag = "market", operation_id = "get_pool", params(("id" = String, Path, description = "The pool")), responses((status = 200, body = PoolView), (status = 304, description = "Unchanged since the ETag"), Refusals), security(()))]
#[get("/v1/pools/{id}")]
pub async fn get(_: Public, id: Id<PoolId>, state: Data<State>) -> Result<Tagged<PoolView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let pool = pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    Ok(Tagged(PoolView::from(complete_one(&mut tx, pool, state.clock.now()).await?)))
}
