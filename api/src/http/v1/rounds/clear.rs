//! `POST /v1/pools/{id}/rounds`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::ids::PoolId;

use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::loops::LoopName;
use crate::store::{pools, rounds};

/// Clear a pool now
///
/// Asks for a round without waiting for the timer. The server that leads the pool clears it within a second or so; the
/// round appears in the list with the cause `operator`. Asking again before that changes nothing.
#[utoipa::path(tag = "operators", operation_id = "clear_pool", params(("id" = String, Path, description = "The pool")),
    responses((status = 202, description = "A round will be cleared"), Refusals))]
#[post("/v1/pools/{id}/rounds")]
pub async fn clear(allowed: Allowed<Operate>, id: Id<PoolId>, state: Data<State>) -> Result<HttpResponse, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let now = ctx.now;
    pools::find(&mut ctx.tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    rounds::request(&mut ctx.tx, id.0, now).await?;
    ctx.tx.commit().await?;
    state.wake.signal(LoopName::Round);
    Ok(HttpResponse::Accepted().finish())
}
