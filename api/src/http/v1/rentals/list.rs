//! `GET /v1/rentals`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{RentalView, render_all};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Cursor, List, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::rental::StateName;
use crate::store::rentals::{self, Which};

/// Which rentals.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RentalsQuery {
    /// Those in this state only, or with `live` all that have not ended.
    #[param(example = "live")]
    state: Option<String>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    cursor: Option<String>,
}

/// List the organisation's rentals
///
/// Newest first, those that ended included.
#[utoipa::path(tag = "demand", operation_id = "list_rentals", params(RentalsQuery),
    responses((status = 200, body = List<RentalView>), Refusals))]
#[get("/v1/rentals")]
pub async fn list(
    allowed: Allowed<Read>,
    query: Query<RentalsQuery>,
    state: Data<State>,
) -> Result<web::Json<List<RentalView>>, Problem> {
    let cursor = Cursor::parse(query.0.limit, query.0.cursor.as_deref())?;
    let which = query.0.state.as_deref().map_or(Ok(Which::All), which)?;
    let organisation = allowed.caller.organisation;
    let mut tx = state.begin_snapshot().await?;
    let rows = rentals::list(&mut tx, organisation, which, cursor.before, cursor.rows()).await?;
    let page = List::cut(rows, cursor, |row| row.id.uuid(), |row| row);
    let items = render_all(&mut tx, organisation, page.items).await?;
    Ok(web::Json(List { items, next_cursor: page.next_cursor }))
}

fn which(name: &str) -> Result<Which, Problem> {
    match name {
        "live" => Ok(Which::Live),
        name => StateName::parse(name).map(Which::In).ok_or_else(|| unknown_state(name)),
    }
}

fn unknown_state(name: &str) -> Problem {
    let known = StateName::ALL.map(StateName::as_str).join(", ");
    Problem::new(Code::InvalidValue, format!("`{name}` is no state of a rental: it is `live` or one of {known}"))
        .field("state")
}
