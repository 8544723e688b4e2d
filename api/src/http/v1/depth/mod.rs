//! The book of a class: how much is wanted and offered at which price.

pub mod get;
mod view;

pub use view::{AskBandView, BidBandView, DepthView};
