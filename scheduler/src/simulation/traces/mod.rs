//! Readers of published traces: text in, rows out. No files here, and no idea of how a trace is scheduled.
//!
//! A line that cannot be read is an error with its number, its column and what would be right.

pub mod gangs;
pub mod openb;
pub mod pcs;
pub mod shockwave;
pub mod table;
pub mod tiresias;
