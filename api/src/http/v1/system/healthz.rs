//! `GET /healthz`

use actix_web::{HttpResponse, get};

use crate::http::extract::Public;

/// Is the process alive?
///
/// Says nothing about the database: a server that cannot reach it should not be restarted for that.
#[utoipa::path(tag = "system", operation_id = "get_health", responses((status = 200, description = "Alive", content_type = "text/plain", body = String)), security(()))]
#[get("/healthz")]
pub async fn healthz(_: Public) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("alive\n")
}
