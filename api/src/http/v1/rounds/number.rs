//! The `{number}` of a round in a path.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::http::error::Problem;

/// A round's number in its pool. What is not a number names no round.
#[derive(Debug, Clone, Copy)]
pub struct RoundNumber(pub i64);

impl FromRequest for RoundNumber {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let number = request.match_info().get("number").and_then(|text| text.parse().ok());
        ready(number.map(Self).ok_or_else(|| Problem::not_found("round")))
    }
}
