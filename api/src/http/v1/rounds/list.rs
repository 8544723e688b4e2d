//! `GET /v1/pools/{id}/rounds`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::PoolId;

use super::RoundSummaryView;
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Cursor, Id, List, Page, Public, Query};
use crate::http::openapi::Refusals;
use crate::store::{pools, rounds};

/// List a pool's rounds
///
/// Newest first, without anybody's identity.
#[utoipa::path(tag = "market", operation_id = "list_rounds", params(("id" = String, Path, description = "The pool"), Page),
    responses((status = 200, body = List<RoundSummaryView>), Refusals), security(()))]
#[get("/v1/pools/{id}/rounds")]
pub async fn list(
    _: Public,
    id: Id<PoolId>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<RoundSummaryView>>, Problem> {
    // Rounds are counted, so a page ends at a number rather than at an id.
    let before = page.0.cursor.as_deref().map(number).transpose()?;
    let cursor = Cursor::parse(page.0.limit, None)?;
    let mut tx = state.begin_snapshot().await?;
    pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    let mut rows = rounds::list(&mut tx, id.0, rounds::Page { before, rows: cursor.rows() }).await?;
    let limit = usize::try_from(cursor.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = if more { rows.last().map(|round| round.number.to_string()) } else { None };
    Ok(web::Json(List { items: rows.into_iter().map(RoundSummaryView::from).collect(), next_cursor }))
}

fn number(cursor: &str) -> Result<i64, Problem> {
    let refused = || Problem::new(Code::InvalidValue, "cursor is not one that this API gave out").field("cursor");
    cursor.parse().map_err(|_| refused())
}
