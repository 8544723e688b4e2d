//! What browsers are told about every answer.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::web::Data;

use crate::State;

/// Data is not a document: nothing may be loaded or run on its behalf.
const FOR_DATA: &str = "default-src 'none'; frame-ancestors 'none'";
/// The page and the reference load what this server serves, and talk to this server.
const FOR_PAGES: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                         font-src 'self' data:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; \
                         form-action 'self'; frame-ancestors 'none'";

/// Adds the headers, where the route has not set its own.
pub async fn add(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let state = Data::clone(request.app_data::<Data<State>>().expect("every server has its state"));
    let api = request.path().starts_with("/v1/");
    let mut response = next.call(request).await?;
    let known = response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    let page = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    // A browser replaces what it holds by the headers of a 304: a policy for data would shut the page it has.
    if !known {
        set(headers, CONTENT_SECURITY_POLICY, if page { FOR_PAGES } else { FOR_DATA });
    }
    set(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, X_FRAME_OPTIONS, "DENY");
    set(headers, REFERRER_POLICY, "no-referrer");
    if api {
        set(headers, CACHE_CONTROL, "no-store");
    }
    if state.config.public_url.as_deref().is_some_and(|url| url.starts_with("https://")) {
        set(headers, STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    Ok(response)
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    if !headers.contains_key(&name) {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
