//! `GET /v1/rentals/{id}/logs`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::RentalId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::limits;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::{rentals, workloads};

/// The end of what a rental's command printed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RentalLogs)]
pub struct LogsView {
    /// What it printed to both of its outputs, most recent last.
    #[schema(example = "epoch 3: loss 0.41\n")]
    text: String,
    /// Whether more was printed before.
    truncated: bool,
}

/// Read a rental's output
///
/// The last 32 KiB of what its command printed, as the node reported them a few seconds ago at most.
#[utoipa::path(tag = "demand", operation_id = "get_rental_logs", params(("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 200, body = LogsView), Refusals))]
#[get("/v1/rentals/{id}/logs")]
pub async fn logs(
    allowed: Allowed<Read>,
    id: Id<RentalId>,
    state: Data<State>,
) -> Result<web::Json<LogsView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let rental = rentals::get(&mut tx, allowed.caller.organisation, id.0).await?;
    rental.ok_or_else(|| Problem::not_found("rental"))?;
    let text = workloads::log(&mut tx, id.0).await?;
    let truncated = text.len() >= limits::LOG_TAIL_BYTES;
    Ok(web::Json(LogsView { text, truncated }))
}
