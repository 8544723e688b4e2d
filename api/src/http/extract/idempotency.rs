//! The `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Required, Type};

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

impl utoipa::IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(200)).build();
        let header = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some("New for each new request; the same key with the same body answers the kept reply."))
            .schema(Some(schema));
        vec![header.build()]
    }
}
