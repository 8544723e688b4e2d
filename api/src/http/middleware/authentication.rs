//! From an `Authorization` header to a caller.

use actix_web::HttpRequest;

use crate::app::Caller;
use crate::http::error::{Code, Problem};

/// Authenticates the request by its bearer token.
pub async fn authenticate(_request: &HttpRequest) -> Result<Caller, Problem> {
    Err(Problem::new(Code::Unauthenticated, "send `Authorization: Bearer` with an access token or an API key"))
}
