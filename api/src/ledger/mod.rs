//! Double entry, pure: which entries an operation makes. No SQL and no clock; `store::ledger` writes what is decided here.

pub mod hold;
pub mod meter;
pub mod refund;
pub mod runway;
mod transfer;

pub use transfer::{Account, Entry, Transfer, TransferKind, Unbalanced};
