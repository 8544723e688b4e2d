//! Organisations and who belongs to them.

mod view;

pub use view::OrganisationView;
