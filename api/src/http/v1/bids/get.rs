//! `GET /v1/bids/{id}`

use actix_web::get;
use actix_web::web::Data;
use scheduler::world::ids::BidId;

use super::BidView;
use crate::app::show_bids::show_bids;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::bids;

/// See a bid
#[utoipa::path(tag = "demand", operation_id = "get_bid", params(("id" = String, Path, description = "The bid")),
    responses((status = 200, body = BidView), (status = 304, description = "Not changed"), Refusals))]
#[get("/v1/bids/{id}")]
pub async fn get(allowed: Allowed<Read>, id: Id<BidId>, state: Data<State>) -> Result<Tagged<BidView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let found = bids::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let shown = show_bids(&mut tx, Vec::from_iter(found)).await?.pop();
    shown.map(|shown| Tagged(shown.into())).ok_or_else(|| Problem::not_found("bid"))
}
