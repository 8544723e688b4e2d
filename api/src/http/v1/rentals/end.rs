//! `POST /v1/rentals/{id}/end`

use actix_web::post;
use actix_web::web::Data;
use scheduler::world::ids::RentalId;

use super::{RentalView, render};
use crate::app::end_rental::{EndRentalError, end_rental};
use crate::app::once::{Fingerprint, Reply};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, IdempotencyKey};
use crate::http::openapi::Refusals;
use crate::http::permission::Rent;
use crate::http::{State, reply};
use crate::loops::LoopName;

/// End a rental for good
///
/// What it used is billed, its devices are free, what was held returns. A bid or a job that it served is cancelled.
#[utoipa::path(tag = "demand", operation_id = "end_rental",
    params(IdempotencyKey, ("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = RentalView), Refusals))]
#[post("/v1/rentals/{id}/end")]
pub async fn end(
    allowed: Allowed<Rent>,
    key: IdempotencyKey,
    id: Id<RentalId>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let fingerprint = Fingerprint::of("end_rental", &id.0);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let rental = end_rental(ctx, id.0).await?;
        Ok(Reply::new(200, &render(&mut ctx.tx, rental).await?))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<EndRentalError> for Problem {
    fn from(error: EndRentalError) -> Self {
        match error {
            EndRentalError::NotFound => Self::not_found("rental"),
            EndRentalError::Refused(_) => Self::new(Code::WrongState, error),
            EndRentalError::Store(error) => error.into(),
        }
    }
}
