//! `GET /v1/pools/{id}/events`

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use scheduler::world::ids::PoolId;

use super::stream;
use super::view::EventMessage;
use crate::State;
use crate::feed::Topic;
use crate::http::error::Problem;
use crate::http::extract::{Id, PathId as _, Public};
use crate::http::openapi::Refusals;
use crate::store::pools;

/// Follow a pool's public events
///
/// Server-sent events: rounds as they are cleared and prices as they change. Nobody's own events are among them.
#[utoipa::path(
    tag = "events",
    operation_id = "follow_pool_events",
    params(("id" = String, Path, description = "The pool"), ("Last-Event-ID" = Option<i64>, Header, description = "The id of the last event you saw")),
    responses((status = 200, description = "Events as they happen", content_type = "text/event-stream", body = EventMessage), Refusals),
    security(())
)]
#[get("/v1/pools/{id}/events")]
pub async fn follow_pool(
    _: Public,
    id: Id<PoolId>,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let pool = pools::find(&mut state.begin_snapshot().await?, id.0).await?;
    pool.ok_or_else(|| Problem::not_found(PoolId::NOUN))?;
    stream::respond(&state, &request, Topic::Pool(id.0))
}
