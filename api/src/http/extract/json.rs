//! A JSON body, strictly: bounded, typed, without unknown fields (the types say `deny_unknown_fields`).

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use crate::http::error::{Code, Problem};

/// A parsed body.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = bytes.await.map_err(|error| match error.as_response_error().status_code().as_u16() {
                413 => Problem::new(Code::BodyTooLarge, "a body has at most 64 KiB"),
                _ => Problem::new(Code::MalformedBody, "the body could not be read"),
            })?;
            serde_json::from_slice(&bytes).map(Self).map_err(|error| refused(&error))
        })
    }
}

fn refused(error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let field = text.split('`').nth(1).map(str::to_owned);
    let (code, field) = if text.starts_with("unknown field") {
        (Code::UnknownField, field)
    } else if text.starts_with("missing field") {
        (Code::InvalidValue, field)
    } else if error.is_data() {
        (Code::InvalidValue, None)
    } else {
        (Code::MalformedBody, None)
    };
    let problem = Problem::new(code, text);
    match field {
        Some(field) => problem.field(field),
        None => problem,
    }
}
