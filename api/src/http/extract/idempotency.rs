//! The `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::app::once::Key;
use crate::http::error::{Code, Problem};

/// A valid `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(pub Key);

impl FromRequest for IdempotencyKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let header = request.headers().get("Idempotency-Key").and_then(|value| value.to_str().ok());
        ready(header.and_then(Key::parse).map(Self).ok_or_else(|| {
            let detail =
                "send an Idempotency-Key header of 1 to 200 visible ASCII characters, new for each new request";
            Problem::new(Code::IdempotencyKeyMissing, detail)
        }))
    }
}
