//! `POST /v1/rentals/{id}/stop`

use actix_web::post;
use actix_web::web::Data;
use scheduler::world::ids::RentalId;

use super::{RentalView, render};
use crate::app::once::{Fingerprint, Reply};
use crate::app::stop_rental::{StopRentalError, stop_rental};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, IdempotencyKey};
use crate::http::openapi::Refusals;
use crate::http::permission::Rent;
use crate::http::{State, reply};
use crate::loops::LoopName;

/// Stop a rental
///
/// Gives its devices back and keeps its storage. Billing of compute ends at once; `start` takes devices again.
#[utoipa::path(tag = "demand", operation_id = "stop_rental",
    params(IdempotencyKey, ("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = RentalView), Refusals))]
#[post("/v1/rentals/{id}/stop")]
pub async fn stop(
    allowed: Allowed<Rent>,
    key: IdempotencyKey,
    id: Id<RentalId>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let fingerprint = Fingerprint::of("stop_rental", &id.0);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let rental = stop_rental(ctx, id.0).await?;
        Ok(Reply::new(200, &render(&mut ctx.tx, rental).await?))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<StopRentalError> for Problem {
    fn from(error: StopRentalError) -> Self {
        match error {
            StopRentalError::NotFound => Self::not_found("rental"),
            StopRentalError::Refused(_) | StopRentalError::NotOnDemand => Self::new(Code::WrongState, error),
            StopRentalError::Store(error) => error.into(),
        }
    }
}
