//! Quotes: what a rental would cost, before anything is paid.

pub mod create;
pub mod get;
mod view;

pub use view::QuoteView;
