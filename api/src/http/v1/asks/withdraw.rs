//! `POST /v1/asks/{id}/withdraw`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::world::ids::AskId;

use super::AskView;
use crate::app::withdraw_ask::withdraw_ask;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;

/// Withdraw an ask
///
/// Nothing new is rented on it; what runs keeps running. Withdrawing it again changes nothing.
#[utoipa::path(tag = "supply", operation_id = "withdraw_ask", params(("id" = String, Path, description = "The ask")), responses((status = 200, body = AskView), Refusals))]
#[post("/v1/asks/{id}/withdraw")]
pub async fn withdraw(
    allowed: Allowed<Supply>,
    id: Id<AskId>,
    state: Data<State>,
) -> Result<web::Json<AskView>, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let ask = withdraw_ask(&mut ctx, id.0).await?.ok_or_else(|| Problem::not_found("ask"))?;
    ctx.tx.commit().await?;
    Ok(web::Json(AskView::from(ask)))
}
