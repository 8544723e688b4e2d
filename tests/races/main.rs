//! What happens at once, twice, half or in the wrong order. One module per area.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod contention;
mod events;
mod money;
mod moved_on;
mod rounds;
mod sessions;
