//! `POST /v1/bids/{id}/cancel`

use actix_web::post;
use actix_web::web::Data;
use scheduler::world::ids::BidId;

use super::BidView;
use crate::app::cancel_bid::{CancelBidError, cancel_bid};
use crate::app::once::{Fingerprint, Reply};
use crate::app::show_bids::show_bids;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, IdempotencyKey};
use crate::http::openapi::Refusals;
use crate::http::permission::PlaceBids;
use crate::http::{State, reply};
use crate::loops::LoopName;

/// Take a bid back
///
/// What is left of its hold is available again at once. If it has devices, its rental ends and is billed up to now.
#[utoipa::path(tag = "demand", operation_id = "cancel_bid", params(("id" = String, Path, description = "The bid"), IdempotencyKey),
    responses((status = 200, body = BidView), Refusals))]
#[post("/v1/bids/{id}/cancel")]
pub async fn cancel(
    allowed: Allowed<PlaceBids>,
    id: Id<BidId>,
    key: IdempotencyKey,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let fingerprint = Fingerprint::of("cancel_bid", &id.0);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let cancelled = cancel_bid(ctx, id.0).await?;
        let shown = show_bids(&mut ctx.tx, vec![cancelled]).await?;
        Ok(Reply::new(200, &shown.into_iter().map(BidView::from).next()))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<CancelBidError> for Problem {
    fn from(error: CancelBidError) -> Self {
        match error {
            CancelBidError::NoSuchBid => Self::not_found("bid"),
            CancelBidError::Refused(refused) => Self::new(Code::WrongState, refused),
            CancelBidError::Store(store) => store.into(),
        }
    }
}
