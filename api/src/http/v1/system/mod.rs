//! What the machinery around the server asks: is it alive, is it ready, what does it count?

pub mod healthz;
pub mod metrics;
pub mod readyz;
