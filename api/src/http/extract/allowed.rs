//! A caller that was authenticated and meets the route's permission.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::app::Caller;
use crate::http::error::{Code, Problem};
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
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let caller = crate::http::middleware::authentication::authenticate(&request).await?;
            if !P::allows(&caller) {
                return Err(Problem::new(Code::Forbidden, format!("this needs the permission to {}", P::NAME)));
            }
            Ok(Self { caller, permission: PhantomData })
        })
    }
}
