//! SSH keys: what opens the organisation's rentals.

pub mod add;
pub mod list;
pub mod remove;
mod view;

pub use view::SshKeyView;
