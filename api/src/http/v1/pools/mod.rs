//! Pools: nodes that are cleared together.

pub mod get;
pub mod list;
mod view;

pub use view::PoolView;
