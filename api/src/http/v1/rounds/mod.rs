//! Rounds: how a pool was cleared, for everybody to check.

pub mod clear;
pub mod list;
mod number;
pub mod record;
mod view;

pub use number::RoundNumber;
pub use view::{RoundSummaryView, SummaryPriceView};
