//! souk: an open GPU marketplace with a fairness you can prove.
//!
//! This crate holds all input and output around the pure `scheduler`: the HTTP API, the use cases, the store, the
//! loops and the provider adapters. Dependencies point one way: `http -> app -> store`, `app -> scheduler`,
//! `app -> ledger` (pure), `loops -> app`. Time and randomness enter by two doors only, [`clock`] and [`entropy`].

pub mod app;
pub mod bench;
pub mod bid;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod demo;
pub mod doorbell;
pub mod embedded;
pub mod entropy;
pub mod feed;
pub mod http;
pub mod job;
pub mod ledger;
pub mod limiter;
pub mod loops;
pub mod metrics;
pub mod node;
pub mod offers;
pub mod provider;
pub mod records;
pub mod redis;
pub mod rental;
pub mod shells;
mod state;
pub mod store;
pub mod telemetry;

pub use state::State;
