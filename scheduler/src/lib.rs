//! The market, pure: who gets which device, at what price, and why.
//!
//! ```text
//!                        ┌──────────────────────────── plan ────────────────────────────┐
//!  Snapshot ─┐           │  supply ─► entitlement ─► claims ─► gangs ─► prices ─► plan   │         ┌─► Plan, safe to apply
//!  Rules ────┼──────────►│  board     fairness/      clearing/  gang/   clearing/  plan/ ├─► verify┤
//!  now, seed ┘           └───────────────────────────────────────────────────────────────┘         └─► Violations
//! ```
//!
//! A round is decided on one screen (`round.rs`), and again until the decision stands ([`plan`], `steady.rs`); [`verify`]
//! establishes every promise of a plan from the snapshot, with other code; [`replay`] plans a recorded round again;
//! [`dry_run`] asks what a bid would get.
//!
//! - [`world`] plain data: identifiers, time, money, devices, asks, demands, the snapshot
//! - [`fairness`] what jobs are owed: the reference, lag, the finish-time ratio, pseudo-deadlines
//! - [`clearing`] share policies and price rules, one file each
//! - `gang` the queue of claims, and whole gangs' seats
//! - [`placement`] where a gang may stand, and where best; [`fit`] is shared with whoever applies a plan
//! - [`simulation`] the same rounds in virtual time, driven by traces
//! - [`mod@plan`], [`explain`], [`record`] what comes out
//!
//! Absent on purpose: no I/O, no clock, no randomness, no threads, no async. Everything a round depends on is an
//! argument, so that a round can be recorded, replayed and argued about. Floats appear only in the forecast that orders
//! jobs; amounts, counts, times and shares are integers, and collections are ordered, so that a plan is the same on every
//! machine.

pub mod clearing;
mod dice;
mod dry_run;
pub mod explain;
pub mod fairness;
mod gang;
pub mod placement;
pub mod plan;
pub mod record;
mod round;
pub mod simulation;
pub mod solve;
mod steady;
pub mod verify;
pub mod world;

pub use dice::Dice;
pub use dry_run::{Outlook, dry_run};
pub use explain::{Code, Explanation, Numbers};
pub use fairness::promise::admit;
pub use gang::limits::on_demand_room;
pub use placement::{Misfit, Need, fit};
pub use plan::{Grant, Plan, Why};
pub use record::{ReplayError, RoundRecord, canonical, chain_hash, replay};
pub use steady::{after, plan};
pub use verify::{Violation, verify};
