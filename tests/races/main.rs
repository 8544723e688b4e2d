//! What happens at once, twice, half or in the wrong order. One module per area.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::print_stdout, reason = "a run says its seed and its figures")]
#![allow(clippy::disallowed_methods, reason = "a test that measures time has to read it")]

mod contention;
mod crash;
mod events;
mod money;
mod moved_on;
mod promises;
mod rounds;
mod sessions;
