//! `GET /v1/agent/shells/{id}`

use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse, get};
use uuid::Uuid;

use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::AgentNode;
use crate::http::openapi::Refusals;
use crate::http::v1::shells::bridge;

/// Dial a shell
///
/// The node's end of a terminal that a tenant waits for, as a WebSocket. The frames are those of the tenant's end.
#[utoipa::path(tag = "agents", operation_id = "dial_shell", params(("id" = String, Path, description = "From `shells` in the answer to a heartbeat.")),
    responses((status = 101, description = "The terminal"), Refusals), security(("node_token" = [])))]
#[get("/v1/agent/shells/{id}")]
pub async fn dial(
    node: AgentNode,
    request: HttpRequest,
    body: Payload,
    id: Path<String>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let refused = |_| Problem::new(Code::WebSocketExpected, "connect with a WebSocket");
    let (response, socket, messages) = actix_ws::handle(&request, body).map_err(refused)?;
    let end = Uuid::try_parse(&id).ok().and_then(|id| state.shells.connect(id, node.0));
    let end = end.ok_or_else(|| Problem::not_found("shell that waits for this node"))?;
    let stopping = state.stopping.clone();
    actix_web::rt::spawn(async move { bridge(socket, messages, end, stopping.cancelled()).await });
    Ok(response)
}
