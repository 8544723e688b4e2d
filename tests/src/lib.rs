//! The harness: a whole market per test, on a real PostgreSQL database of its own, with a clock that stands still,
//! seeded randomness and loops that are stepped by hand. What the suites assert lives in the suites.

pub mod agent;
pub mod auditor;
pub mod binary;
pub mod client;
pub mod database;
pub mod described;
pub mod market;
pub mod redis;
pub mod scene;
pub mod stream;
pub mod supply;

pub use agent::ScriptedAgent;
pub use auditor::Auditor;
pub use client::{Client, Response};
pub use market::TestMarket;
pub use redis::TestRedis;
pub use scene::Scene;
pub use stream::EventStream;
pub use supply::Supply;
