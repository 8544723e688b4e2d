//! API keys: how programs act for an organisation.

pub mod create;
pub mod list;
pub mod revoke;
mod view;

pub use view::{ApiKeyView, NewApiKeyView};
