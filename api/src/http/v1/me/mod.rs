//! The caller, as seen by itself.

pub mod get;
mod view;

pub use view::{MeView, UserView};
