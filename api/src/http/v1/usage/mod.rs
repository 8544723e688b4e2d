//! Usage: what was metered and paid.

pub mod list;
mod view;

pub use view::UsageView;
