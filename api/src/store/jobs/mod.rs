//! Jobs' rows: submitting them, reading them, closing them. What rounds and the ends of rentals do to them is in
//! `store::apply` and `store::demand`.

mod read;
mod write;

pub use read::{Filter, Submitted, find, list};
pub use write::{close, insert};
