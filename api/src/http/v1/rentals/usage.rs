//! `GET /v1/rentals/{id}/usage`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::RentalId;

use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::v1::usage::UsageView;
use crate::store::rentals;
use crate::store::usage::{self, Filter};

/// List what a rental was billed for
///
/// Closed intervals, newest first, each with its price and its payment.
#[utoipa::path(tag = "demand", operation_id = "list_rental_usage", params(Page, ("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = List<UsageView>), Refusals))]
#[get("/v1/rentals/{id}/usage")]
pub async fn list(
    allowed: Allowed<Read>,
    id: Id<RentalId>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<UsageView>>, Problem> {
    let cursor = page.0.parse()?;
    let organisation = allowed.caller.organisation;
    let mut tx = state.begin_snapshot().await?;
    rentals::get(&mut tx, organisation, id.0).await?.ok_or_else(|| Problem::not_found("rental"))?;
    let filter = Filter { rental: Some(id.0), ..Filter::default() };
    let rows = usage::list(&mut tx, organisation, filter, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id, UsageView::from)))
}
