//! From an `Authorization` header to a caller, without a question to the database.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::Data;

use crate::app::Caller;
use crate::app::auth::TokenError;
use crate::http::State;
use crate::http::error::{Code, Problem};

/// Authenticates the request by its bearer token.
pub async fn authenticate(request: &HttpRequest) -> Result<Caller, Problem> {
    let state = request.app_data::<Data<State>>().expect("every server has its state");
    let token = bearer(request).ok_or_else(|| {
        Problem::new(Code::Unauthenticated, "send `Authorization: Bearer` with an access token or an API key")
    })?;
    let claims = state.identity.keys.verify(token, state.clock.now())?;
    Ok(claims.caller())
}

/// The bearer token of the request, if it presents one.
#[must_use]
pub fn bearer(request: &HttpRequest) -> Option<&str> {
    let (scheme, token) = request.headers().get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        let code = match error {
            TokenError::Expired => Code::TokenExpired,
            TokenError::Invalid | TokenError::UnknownKey => Code::Unauthenticated,
        };
        Self::new(code, error)
    }
}
