//! What runs on a provider's node: it enrols once, says every few seconds what it runs, asks what it should run, and
//! makes the one match the other.
//!
//! The agent is level-triggered: every answer of the server is the whole truth about what should run here, so a lost
//! message loses nothing. It trusts its own clock for nothing but durations ([`clock`]): each workload has a lease that
//! every answer extends, and stops by itself when no answer came for that long.
//!
//! No database, no web server, and no decisions about who gets what.

pub mod clock;
pub mod connection;
pub mod discovery;
pub mod identity;
pub mod node;
pub mod protocol;
pub mod runtime;
pub mod shell;

pub use node::{Node, Settings};
