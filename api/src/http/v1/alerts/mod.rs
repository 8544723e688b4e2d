//! Alerts: what an operator should look at.

pub mod list;
pub mod resolve;
mod view;

pub use view::AlertView;
