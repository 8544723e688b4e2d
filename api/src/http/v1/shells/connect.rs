//! `GET /v1/shells/{ticket}`

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse, get};
use scheduler::world::ids::{NodeId, RentalId};

use super::bridge::{bridge, close};
use crate::config::limits;
use crate::entropy::Secret;
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::Ticket;
use crate::http::openapi::Refusals;
use crate::shells::Wait;
use crate::store::{Tx, shell_tickets};

/// Connect to a shell
///
/// A WebSocket. Binary frames are the terminal's bytes, both ways; a text frame `{"resize": {"columns", "rows"}}` says the
/// terminal's size. The ticket in the address is the permission, and works once.
#[utoipa::path(tag = "demand", operation_id = "connect_shell", params(("ticket" = String, Path, description = "From `POST /v1/rentals/{id}/shells`.")),
    responses((status = 101, description = "The terminal"), Refusals), security(()))]
#[get("/v1/shells/{ticket}")]
pub async fn connect(
    request: HttpRequest,
    body: Payload,
    ticket: Ticket,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let refused = |_| Problem::new(Code::WebSocketExpected, "connect with a WebSocket");
    let (response, socket, messages) = actix_ws::handle(&request, body).map_err(refused)?;
    let (rental, node) = consume(&state, &ticket.0).await?;
    let id = state.entropy.id(state.clock.now());
    let wait = state.shells.wait(id, node, rental).map_err(|full| Problem::new(Code::Unavailable, full))?;
    state.doorbell.ring(node);
    let state = state.into_inner();
    actix_web::rt::spawn(async move {
        match node_dials(wait, &state).await {
            Some(end) => bridge(socket, messages, end, over(&state, rental)).await,
            None => close(socket, Some("the node did not answer; try again")).await,
        }
    });
    Ok(response)
}

async fn node_dials(wait: Wait, state: &State) -> Option<crate::shells::End> {
    tokio::select! {
        end = wait.connected() => end,
        () = state.stopping.cancelled() => None,
    }
}

async fn consume(state: &State, ticket: &Secret) -> Result<(RentalId, NodeId), Problem> {
    let mut tx = Tx::begin(&state.db).await?;
    let opened = shell_tickets::consume(&mut tx, &ticket.hash(), state.clock.now()).await?;
    tx.commit().await?;
    opened.ok_or_else(|| Problem::not_found("ticket: it was used, it has expired, or the rental cannot be used now"))
}

/// Ends when the rental does, or the server. The node ends the shell by itself, too, but is not relied on.
async fn over(state: &State, rental: RentalId) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(limits::SHELL_LOOK) => {}
            () = state.stopping.cancelled() => return,
        }
        // While the database is away nobody knows, and nothing is ended.
        if let Ok(mut tx) = Tx::begin(&state.db).await
            && let Ok(false) = shell_tickets::is_usable(&mut tx, rental).await
        {
            return;
        }
    }
}
