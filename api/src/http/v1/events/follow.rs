//! `GET /v1/events`

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};

use super::stream;
use super::view::EventMessage;
use crate::State;
use crate::feed::Topic;
use crate::http::error::Problem;
use crate::http::extract::Allowed;
use crate::http::openapi::Refusals;
use crate::http::permission::Read;

/// Follow your organisation's events
///
/// Server-sent events of the organisation and its providers. Come back with `Last-Event-ID` and you miss nothing for
/// seven days; if you were away longer, the first event is `gap`. The stream ends after ten minutes at the latest: come
/// back with a fresh token.
#[utoipa::path(
    tag = "events",
    operation_id = "follow_events",
    params(("Last-Event-ID" = Option<i64>, Header, description = "The id of the last event you saw")),
    responses((status = 200, description = "Events as they happen", content_type = "text/event-stream", body = EventMessage), Refusals)
)]
#[get("/v1/events")]
pub async fn follow(allowed: Allowed<Read>, request: HttpRequest, state: Data<State>) -> Result<HttpResponse, Problem> {
    stream::respond(&state, &request, Topic::Organisation(allowed.caller.organisation))
}
