//! `POST /v1/admin/alerts/{id}/resolve`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::world::ids::AlertId;

use super::AlertView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::store::alerts;

/// Resolve an alert
///
/// Says that somebody has seen to it. It is raised anew if the trouble comes back. Resolving twice changes nothing.
#[utoipa::path(tag = "operators", operation_id = "resolve_alert", params(("id" = String, Path, description = "The alert")),
    responses((status = 200, body = AlertView), Refusals))]
#[post("/v1/admin/alerts/{id}/resolve")]
pub async fn resolve(
    allowed: Allowed<Operate>,
    id: Id<AlertId>,
    state: Data<State>,
) -> Result<web::Json<AlertView>, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let now = ctx.now;
    let alert = alerts::resolve(&mut ctx.tx, id.0, now).await?.ok_or_else(|| Problem::not_found("alert"))?;
    ctx.tx.commit().await?;
    Ok(web::Json(AlertView::from(alert)))
}
