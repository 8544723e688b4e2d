//! `GET /v1/bids/{id}/explanation`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::BidId;

use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::v1::explanations::ExplanationView;
use crate::store::{bids, explanations};

/// Ask why a bid got what it got
///
/// In words and numbers, as of the last round that looked at it: what the price was, and what would have won.
#[utoipa::path(tag = "demand", operation_id = "explain_bid", params(("id" = String, Path, description = "The bid")),
    responses((status = 200, body = ExplanationView), Refusals))]
#[get("/v1/bids/{id}/explanation")]
pub async fn explanation(
    allowed: Allowed<Read>,
    id: Id<BidId>,
    state: Data<State>,
) -> Result<web::Json<ExplanationView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let booked = bids::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let booked = booked.ok_or_else(|| Problem::not_found("bid"))?;
    let explained = explanations::find(&mut tx, &[booked.bid.demand()]).await?.remove(&booked.bid.demand());
    let explained = explained.ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            "no round has looked at this bid yet; GET /v1/pools/{id} says when the next one is",
        )
    })?;
    Ok(web::Json(ExplanationView::new(&explained, &booked.currency)))
}
