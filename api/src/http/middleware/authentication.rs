//! From an `Authorization` header to a caller, once per request and before anything else looks at it: what comes later
//! (rate limits, extractors, the access log) finds the result on the request.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, HttpRequest, ResponseError as _};

use crate::State;
use crate::app::Caller;
use crate::app::auth::{CallerRefused, TokenError};
use crate::http::error::{Code, Problem};

/// Who sent the request.
#[derive(Debug, Clone)]
pub enum Sender {
    /// Nobody that says who it is.
    Anonymous,
    /// An authenticated caller.
    Known(Caller),
    /// Somebody whose token or key does not count.
    Refused(CallerRefused),
}

impl From<Result<Caller, CallerRefused>> for Sender {
    fn from(recognised: Result<Caller, CallerRefused>) -> Self {
        recognised.map_or_else(Self::Refused, Self::Known)
    }
}

/// Recognises the sender. Refusing is left to the routes: many are public, and agents have tokens of their own.
pub async fn recognise(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let state = Data::clone(request.app_data::<Data<State>>().expect("every server has its state"));
    let recognised = match bearer(request.request()) {
        None => Ok(Sender::Anonymous),
        Some(token) => state.identity.caller(&state.db, token, state.clock.now()).await.map(Sender::from),
    };
    match recognised {
        Ok(sender) => {
            if let Sender::Known(caller) = &sender {
                tracing::Span::current().record("organisation", tracing::field::display(caller.organisation));
            }
            request.extensions_mut().insert(sender);
            Ok(next.call(request).await?.map_into_boxed_body())
        }
        Err(error) => Ok(request.into_response(Problem::from(error).error_response())),
    }
}

/// The sender of the request, as a caller; otherwise the problem to answer with.
pub fn caller(request: &HttpRequest) -> Result<Caller, Problem> {
    match request.extensions().get::<Sender>() {
        Some(Sender::Known(caller)) => Ok(caller.clone()),
        Some(Sender::Refused(refused)) => Err((*refused).into()),
        Some(Sender::Anonymous) | None => {
            let detail = "send `Authorization: Bearer` with an access token or an API key";
            Err(Problem::new(Code::Unauthenticated, detail))
        }
    }
}

/// The bearer token of the request, if it presents one.
#[must_use]
pub fn bearer(request: &HttpRequest) -> Option<&str> {
    let (scheme, token) = request.headers().get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl From<CallerRefused> for Problem {
    fn from(refused: CallerRefused) -> Self {
        let code = match refused {
            CallerRefused::Token(TokenError::Expired) => Code::TokenExpired,
            CallerRefused::Token(TokenError::Invalid | TokenError::UnknownKey)
            | CallerRefused::Withdrawn
            | CallerRefused::ApiKey => Code::Unauthenticated,
        };
        Self::new(code, refused)
    }
}
