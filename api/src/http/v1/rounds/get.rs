//! `GET /v1/pools/{id}/rounds/{number}`

use std::collections::BTreeSet;

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::PoolId;

use super::{RoundNumber, RoundView};
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Id, MaybeCaller};
use crate::http::openapi::Refusals;
use crate::store::pools;

/// Get a round
///
/// What was decided, at what prices, and why. Everybody may read it: demands appear by a rank that is theirs in this
/// round only. With a token the caller's own demands appear by their ids, and `own` tells their ranks, by which they are
/// found in the public record.
#[utoipa::path(tag = "market", operation_id = "get_round",
    params(("id" = String, Path, description = "The pool"), ("number" = i64, Path, description = "The round")),
    responses((status = 200, body = RoundView), Refusals), security((), ("access_token" = []), ("api_key" = [])))]
#[get("/v1/pools/{id}/rounds/{number}")]
pub async fn get(
    caller: MaybeCaller,
    id: Id<PoolId>,
    number: RoundNumber,
    state: Data<State>,
) -> Result<web::Json<RoundView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let pool = pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    let opened = state.rounds.open(&mut tx, id.0, Some(number.0)).await?;
    let opened = opened.ok_or_else(|| Problem::not_found("round"))?;
    let own = caller.0.map_or_else(BTreeSet::new, |caller| opened.own(caller.organisation));
    Ok(web::Json(RoundView::new(&opened, &own, &pool.currency)))
}
