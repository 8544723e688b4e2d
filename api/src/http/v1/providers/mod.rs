//! Providers: organisations that list capacity.

pub mod add_node;
pub mod create;
pub mod create_enrolment_token;
pub mod earnings;
pub mod list;
pub mod list_nodes;
mod view;

pub use view::ProviderView;
