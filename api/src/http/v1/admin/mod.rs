//! What operators see of the whole marketplace.

pub mod organisations;
pub mod overview;
mod view;

pub use view::{InvariantView, LoopView, OrganisationFundsView, OverviewView};
