//! `GET /v1/bids`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Deserialize;
use utoipa::IntoParams;

use super::BidView;
use crate::app::show_bids::show_bids;
use crate::bid::StateName;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Cursor, List, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::bids::{self, Filter};

/// Which bids.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BidsQuery {
    /// In this state only.
    #[param(inline)]
    state: Option<StateName>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    cursor: Option<String>,
}

/// List the organisation's bids
///
/// Newest first, each with its hold, the last prices of its classes and its latest explanation.
#[utoipa::path(tag = "demand", operation_id = "list_bids", params(BidsQuery), responses((status = 200, body = List<BidView>), Refusals))]
#[get("/v1/bids")]
pub async fn list(
    allowed: Allowed<Read>,
    query: Query<BidsQuery>,
    state: Data<State>,
) -> Result<web::Json<List<BidView>>, Problem> {
    let cursor = Cursor::parse(query.0.limit, query.0.cursor.as_deref())?;
    let filter = Filter { state: query.0.state };
    let mut tx = state.begin_snapshot().await?;
    let rows = bids::list(&mut tx, allowed.caller.organisation, filter, cursor.before, cursor.rows()).await?;
    let shown = show_bids(&mut tx, rows).await?;
    Ok(web::Json(List::cut(shown, cursor, |shown| shown.booked.bid.id.uuid(), BidView::from)))
}
