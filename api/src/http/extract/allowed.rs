//! A caller that was authenticated and meets the route's permission.

use std::future::{Ready, ready};
use std::marker::PhantomData;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::app::Caller;
use crate::http::error::{Code, Problem};
use crate::http::middleware::authentication;
use crate::http::permission::Permission;

/// Proof that the caller may use this route. The only way to get a [`Caller`] in a handler.
#[derive(Debug)]
pub struct Allowed<P> {
    /// Who calls.
    pub caller: Caller,
    permission: PhantomData<P>,
}

impl<P: Permission> FromRequest for Allowed<P> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(authentication::caller(request).and_then(|caller| {
            if P::allows(&caller) {
                Ok(Self { caller, permission: PhantomData })
            } else {
                Err(Problem::new(Code::Forbidden, format!("this needs the permission to {}", P::NAME)))
            }
        }))
    }
}
