//! The API reference as a page of this server: made from the description, without a script and without anything that
//! lies elsewhere, so that it reads the same in a machine room without internet.

mod errors;
mod html;
mod operation;
mod reference;
mod schema;

use std::sync::LazyLock;

use actix_web::{HttpResponse, get};

use super::extract::Public;
use super::openapi;

/// Read the API's description
#[utoipa::path(tag = "system", operation_id = "get_description", responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object)), security(()))]
#[get("/openapi.json")]
pub async fn get_description(_: Public) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(openapi::text())
}

/// Browse the API reference
#[utoipa::path(tag = "system", operation_id = "get_reference", responses((status = 200, description = "A page", content_type = "text/html", body = String)), security(()))]
#[get("/docs")]
pub async fn get_reference(_: Public) -> HttpResponse {
    static PAGE: LazyLock<String> = LazyLock::new(|| reference::page(openapi::description()));
    page(&PAGE)
}

/// Look up an error code
#[utoipa::path(tag = "system", operation_id = "get_error_codes", responses((status = 200, description = "A page", content_type = "text/html", body = String)), security(()))]
#[get("/docs/errors")]
pub async fn get_error_codes(_: Public) -> HttpResponse {
    static PAGE: LazyLock<String> = LazyLock::new(|| errors::page(openapi::description()));
    page(&PAGE)
}

fn page(text: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type("text/html; charset=utf-8").body(text)
}
