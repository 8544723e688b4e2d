//! `POST /v1/rentals/{id}/start`

use actix_web::post;
use actix_web::web::Data;
use scheduler::world::ids::RentalId;

use super::{RentalView, render};
use crate::app::once::{Fingerprint, Reply};
use crate::app::start_rental::{StartRentalError, start_rental};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, IdempotencyKey};
use crate::http::openapi::Refusals;
use crate::http::permission::Rent;
use crate::http::{State, reply};
use crate::loops::LoopName;

/// Start a stopped rental
///
/// Takes devices of the same offer again, at the same price. Like a new rental it can be `pending` first.
#[utoipa::path(tag = "demand", operation_id = "start_rental",
    params(IdempotencyKey, ("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = RentalView), Refusals))]
#[post("/v1/rentals/{id}/start")]
pub async fn start(
    allowed: Allowed<Rent>,
    key: IdempotencyKey,
    id: Id<RentalId>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let fingerprint = Fingerprint::of("start_rental", &id.0);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let rental = start_rental(ctx, id.0).await?;
        Ok(Reply::new(200, &render(&mut ctx.tx, rental).await?))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<StartRentalError> for Problem {
    fn from(error: StartRentalError) -> Self {
        match error {
            StartRentalError::NotFound => Self::not_found("rental"),
            StartRentalError::Refused(_) => Self::new(Code::WrongState, error),
            StartRentalError::Claim(error) => error.into(),
            StartRentalError::InsufficientFunds(_) => Self::new(Code::InsufficientFunds, error),
            StartRentalError::Spent | StartRentalError::TooLarge(_) => Self::new(Code::WrongState, error),
            StartRentalError::Store(error) => error.into(),
        }
    }
}
