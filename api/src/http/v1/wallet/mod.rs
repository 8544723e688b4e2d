//! The wallet: an organisation's money.

pub mod entries;
pub mod get;
pub mod holds;
mod view;

pub use view::{EntryView, HoldView, WalletView};
