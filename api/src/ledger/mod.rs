//! Double entry, pure: which entries an operation makes. No SQL and no clock; `store::ledger` writes what is decided here.

mod transfer;

pub use transfer::{Account, Entry, Transfer, TransferKind, Unbalanced};
