//! The outermost layer: gives the request its id and its span, and when it is answered counts it and writes one line.
//!
//! The line names the route's template, never the path: a path can carry a secret. Bodies and headers are not logged.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderValue;
use actix_web::middleware::Next;
use actix_web::web::Data;
use tracing::Instrument as _;
use tracing::field::Empty;

use super::request_id;
use crate::State;

/// Observes one request from its arrival to its answer.
pub async fn observe(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let state = Data::clone(request.app_data::<Data<State>>().expect("every server has its state"));
    let method = request.method().clone();
    let id = request_id::choose(&request, &state);
    let span = tracing::info_span!("request", request_id = %id, %method, organisation = Empty);
    let started = state.clock.elapsed();
    let mut response = request_id::scope(id.clone(), next.call(request).instrument(span.clone())).await?;
    let took = state.clock.elapsed().saturating_sub(started);
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(request_id::HEADER, value);
    }
    let route = response.request().match_pattern().unwrap_or_else(|| "unmatched".to_owned());
    let status = response.status().as_u16();
    state.metrics.request(method.as_str(), &route, status, took);
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    span.in_scope(|| tracing::info!(target: "souk::access", route, status, microseconds, "answered"));
    Ok(response)
}
