//! Offers, pure: what a tenant finds, how it narrows and orders it. No SQL; `store::offers` loads what is searched here.

mod cursor;
mod filter;
mod offer;
mod order;
mod request;

pub use cursor::{Position, page};
pub use filter::{Field, Filter, FilterError, Op, Source};
pub use offer::Offer;
pub use order::{Order, OrderError};
pub use request::filters_of;

#[cfg(test)]
mod tests;
