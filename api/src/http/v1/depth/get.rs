//! `GET /v1/pools/{id}/depth`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::plan::Depth;
use scheduler::world::ids::PoolId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::DepthView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Id, Public, Query};
use crate::http::openapi::Refusals;
use crate::http::v1::prices::history::parse_class;
use crate::store::{pools, rounds};

/// The parameters of a book.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DepthQuery {
    /// The device class.
    #[param(example = "h100-80gb")]
    class: String,
}

/// Get a class's book
///
/// What the last round saw: devices wanted by limit, in bands, and devices offered by floor. A pool that was never
/// cleared has an empty book with round number 0.
#[utoipa::path(tag = "market", operation_id = "get_depth", params(("id" = String, Path, description = "The pool"), DepthQuery),
    responses((status = 200, body = DepthView), Refusals), security(()))]
#[get("/v1/pools/{id}/depth")]
pub async fn get(
    _: Public,
    id: Id<PoolId>,
    query: Query<DepthQuery>,
    state: Data<State>,
) -> Result<web::Json<DepthView>, Problem> {
    let class = parse_class(&query.0.class)?;
    let mut tx = state.begin_snapshot().await?;
    let pool = pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    let (number, summary) = match rounds::find(&mut tx, id.0, None).await? {
        Some(round) => (round.number, Some(round.summary)),
        None => (0, None),
    };
    let price = summary.as_ref().and_then(|summary| summary.prices.iter().find(|line| line.class == class));
    let price = price.map(|line| line.price);
    let depth = summary.and_then(|summary| summary.depth.into_iter().find(|depth| depth.class == class));
    let depth = depth.unwrap_or(Depth { class, step: 0, bids: Vec::new(), asks: Vec::new() });
    Ok(web::Json(DepthView::new(depth, pool.currency, number, price)))
}
