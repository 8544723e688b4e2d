//! Terminals in rentals, over WebSockets.

mod bridge;
pub mod connect;

pub use bridge::bridge;
