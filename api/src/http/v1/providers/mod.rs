//! Providers: organisations that list capacity.

pub mod create;
pub mod list;
mod view;

pub use view::ProviderView;
