//! A query string, strictly: unknown parameters are refused (the types say `deny_unknown_fields`).

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use crate::http::error::{Code, Problem};

/// Parsed query parameters.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let parsed = actix_web::web::Query::<T>::from_query(request.query_string());
        ready(parsed.map(|query| Self(query.into_inner())).map_err(|error| {
            let text = error.to_string();
            let code = if text.contains("unknown field") { Code::UnknownField } else { Code::InvalidValue };
            let problem = Problem::new(code, text.trim_start_matches("Query deserialize error: "));
            match text.split('`').nth(1) {
                Some(field) => problem.field(field),
                None => problem,
            }
        }))
    }
}
