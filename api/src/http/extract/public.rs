//! Routes that are open to everybody, said in the handler's signature.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest};

use crate::app::Caller;
use crate::http::error::Problem;
use crate::http::middleware::authentication;

/// Anybody may use this route, and it does the same for everybody. A token is not even looked at.
#[derive(Debug, Clone, Copy)]
pub struct Public;

impl FromRequest for Public {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(_request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Ok(Self))
    }
}

/// Anybody may use this route, and those who authenticate see what is theirs. A token that is not valid is refused
/// rather than ignored, so that nobody takes the public view for its own.
#[derive(Debug, Clone)]
pub struct MaybeCaller(pub Option<Caller>);

impl FromRequest for MaybeCaller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(if request.headers().contains_key(AUTHORIZATION) {
            authentication::caller(request).map(|caller| Self(Some(caller)))
        } else {
            Ok(Self(None))
        })
    }
}
