//! A ticket in the path: the address itself is the permission, once.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::entropy::Secret;
use crate::http::error::Problem;

/// The `{ticket}` of the route's path. Whether it is good is known once it was used up.
#[derive(Debug, Clone)]
pub struct Ticket(pub Secret);

impl FromRequest for Ticket {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let text = request.match_info().get("ticket");
        ready(text.map(|text| Self(Secret::presented(text))).ok_or_else(|| Problem::not_found("ticket")))
    }
}
