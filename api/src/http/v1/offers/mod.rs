//! Offers: what can be rented now.

mod query;
pub mod search;
mod view;

pub use view::{AppliedFilterView, OfferView};
