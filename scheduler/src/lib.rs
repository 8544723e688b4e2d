//! The market, pure: who gets which device, at what price, and why.
//!
//! ```text
//! Snapshot + Rules + now + seed  --plan-->  Plan  --verify-->  safe to apply
//! ```
//!
//! Absent on purpose: no I/O, no clock, no randomness, no threads, no async. Everything a round depends on is an
//! argument, so that a round can be recorded, replayed and argued about.

pub mod clearing;
pub mod explain;
pub mod fairness;
pub mod gang;
pub mod placement;
pub mod plan;
pub mod record;
pub mod round;
pub mod verify;
pub mod world;

pub use explain::{Code, Explanation, Numbers};
pub use gang::limits::on_demand_room;
pub use placement::{Misfit, Need, fit};
pub use plan::{Grant, Plan, Why};
pub use record::{ReplayError, RoundRecord, canonical, chain_hash, replay};
pub use round::plan;
pub use verify::{Violation, verify};
