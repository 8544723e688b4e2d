//! What happens around every handler: request ids, rate limits, authentication, security headers, metrics.

pub mod authentication;
pub mod observe;
pub mod rate_limit;
pub mod request_id;
pub mod security_headers;
