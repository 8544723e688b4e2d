//! Profiles: how fast known workloads run.

pub mod create;
pub mod list;
mod view;

pub use view::ProfileView;
