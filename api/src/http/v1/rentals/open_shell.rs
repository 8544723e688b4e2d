//! `POST /v1/rentals/{id}/shells`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::ids::RentalId;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::open_shell::{OpenShellError, open_shell};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Rent;
use crate::http::{State, wire};

/// Where a shell is opened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShellTicket)]
pub struct TicketView {
    /// A WebSocket on this server. The address is the permission: it works once.
    #[schema(example = "/v1/shells/h8Zk3mW0b1Qy7uJ2sVfX4tLcPa9EoNdRi6gTqKxYwBs")]
    url: String,
    /// Until when.
    #[serde(with = "wire::timestamp")]
    expires_at: OffsetDateTime,
}

/// Open a shell
///
/// Answers with the address of a WebSocket that can be used once, within half a minute.
#[utoipa::path(tag = "demand", operation_id = "open_shell", params(("id" = String, Path, description = "The rental", example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")),
    responses((status = 201, body = TicketView), Refusals))]
#[post("/v1/rentals/{id}/shells")]
pub async fn open(allowed: Allowed<Rent>, id: Id<RentalId>, state: Data<State>) -> Result<HttpResponse, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let ticket = open_shell(&mut ctx, id.0).await?;
    ctx.tx.commit().await?;
    let url = format!("/v1/shells/{}", ticket.secret.reveal());
    Ok(HttpResponse::Created().json(TicketView { url, expires_at: ticket.expires_at }))
}

impl From<OpenShellError> for Problem {
    fn from(error: OpenShellError) -> Self {
        match error {
            OpenShellError::NotFound => Self::not_found("rental"),
            OpenShellError::Refused(_) => Self::new(Code::WrongState, error),
            OpenShellError::Simulated => Self::new(Code::NoShell, error),
            OpenShellError::Store(error) => error.into(),
        }
    }
}
