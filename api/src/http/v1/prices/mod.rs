//! Price history: what a class cost, round after round.

pub mod history;
mod range;
mod view;

pub use view::{PricePointView, PricesView};
