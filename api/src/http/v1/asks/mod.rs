//! Asks: what providers want for their devices.

pub mod list;
pub mod place;
mod view;
pub mod withdraw;

pub use view::AskView;
