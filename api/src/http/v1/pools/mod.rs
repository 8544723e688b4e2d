//! Pools: nodes that are cleared together.

pub mod create;
pub mod get;
pub mod list;
mod settings;
pub mod update;
mod view;

pub use settings::SharePolicyName;
pub use view::PoolView;
