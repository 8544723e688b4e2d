//! `GET /v1/rentals/{id}`

use actix_web::get;
use actix_web::web::Data;
use scheduler::world::ids::RentalId;

use super::{RentalView, render};
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::rentals;

/// See a rental
///
/// Its state, its devices, what is billed now and what was billed so far.
#[utoipa::path(tag = "demand", operation_id = "get_rental", params(("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = RentalView), (status = 304, description = "Not changed"), Refusals))]
#[get("/v1/rentals/{id}")]
pub async fn get(allowed: Allowed<Read>, id: Id<RentalId>, state: Data<State>) -> Result<Tagged<RentalView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let rental = rentals::get(&mut tx, allowed.caller.organisation, id.0).await?;
    let rental = rental.ok_or_else(|| Problem::not_found("rental"))?;
    Ok(Tagged(render(&mut tx, rental).await?))
}
