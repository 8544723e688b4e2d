//! What happens around every handler: request ids, rate limits, authentication, security headers, metrics.

pub mod authentication;
pub mod request_id;
