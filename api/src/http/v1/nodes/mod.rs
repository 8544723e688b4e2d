//! Nodes: computers with devices, as their providers see them.

pub mod drain;
pub mod get;
pub mod resume;
mod view;

pub use view::NodeView;
