//! The demonstration: a market with providers and tenants who behave like those of public traces.
//!
//! Lives here: where demand comes from (the built-in [`model`], or a [`trace`] file), how it is described, and the
//! driver that plays it through the public API. Must not live here: anything that reaches into the server; the demo
//! is a client like any other.

pub mod arrival;
pub mod describe;
pub mod model;
pub mod trace;
