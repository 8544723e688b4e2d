//! Rounds' rows: the chain itself, what lists show of it, and what tells whether a pool is due.

mod pulse;
mod read;
mod write;

pub use pulse::{Pulse, Waiting, answer, pulses, request};
pub use read::{Found, Page, find, find_text, list, stored};
pub use write::{NewRound, insert};
