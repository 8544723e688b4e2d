//! Bids: devices while the price is at or below a limit.

pub mod cancel;
pub mod dry_run;
pub mod explanation;
pub mod get;
pub mod list;
pub mod place;
mod view;

pub use view::{BidView, MarketPriceView};
