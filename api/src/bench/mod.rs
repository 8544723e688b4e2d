//! Measurements of the whole product on this machine: an own database on disk, an own server, real connections.
//!
//! Lives here: setting the scene, the load, and the figures. Must not live here: shortcuts around the API; what is
//! measured is what a tenant would see.

pub mod bids;
mod caller;
mod figures;
mod inserts;
mod load;
mod market;
pub mod payments;
pub mod round;
pub mod solve;
mod stopwatch;

pub use figures::{Figures, Summary};
