//! `GET /metrics`

use actix_web::web::Data;
use actix_web::{HttpResponse, get};

use crate::State;
use crate::http::extract::Public;

/// What the server counts
///
/// For Prometheus. Keep it from the public at the proxy, as you keep it from the internet.
#[utoipa::path(tag = "system", operation_id = "get_metrics", responses((status = 200, description = "Prometheus text", content_type = "text/plain", body = String)), security(()))]
#[get("/metrics")]
pub async fn metrics(_: Public, state: Data<State>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(state.metrics.render(&state))
}
