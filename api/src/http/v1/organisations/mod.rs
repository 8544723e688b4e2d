//! Organisations and who belongs to them.

pub mod create;
pub mod list;
pub mod members;
mod view;

pub use view::{MembershipView, OrganisationView};
