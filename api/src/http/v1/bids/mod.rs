//! Bids: devices while the price is at or below a limit.

pub mod place;
mod view;

pub use view::{BidView, MarketPriceView};
