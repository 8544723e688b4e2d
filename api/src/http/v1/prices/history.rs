//! `GET /v1/pools/{id}/prices`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ClassId;
use scheduler::world::ids::PoolId;

use super::range::PriceQuery;
use super::{PricePointView, PricesView};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Id, Public, Query};
use crate::http::openapi::Refusals;
use crate::store::{pools, prices};

/// Get a class's price history
///
/// The uniform prices of the pool's rounds, in steps with bands: open, high, low, close and percentiles. Without `from`,
/// `to` and `step_seconds` it is the last day, in a grain that a chart can show.
#[utoipa::path(tag = "market", operation_id = "get_prices", params(("id" = String, Path, description = "The pool"), PriceQuery),
    responses((status = 200, body = PricesView), Refusals), security(()))]
#[get("/v1/pools/{id}/prices")]
pub async fn history(
    _: Public,
    id: Id<PoolId>,
    query: Query<PriceQuery>,
    state: Data<State>,
) -> Result<web::Json<PricesView>, Problem> {
    let range = query.0.range(state.clock.now())?;
    let class = parse_class(&query.0.class)?;
    let mut tx = state.begin_snapshot().await?;
    let pool = pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    let buckets = prices::history(&mut tx, id.0, &class, (range.from, range.to), range.step_seconds).await?;
    Ok(web::Json(PricesView {
        class_id: class.to_string(),
        currency: pool.currency,
        step_seconds: range.step_seconds,
        points: buckets.into_iter().map(PricePointView::from).collect(),
    }))
}

/// The class in a query.
pub(in crate::http::v1) fn parse_class(text: &str) -> Result<ClassId, Problem> {
    text.parse().map_err(|error| Problem::new(Code::InvalidValue, error).field("class"))
}
