//! Every route does what its description says, for good and for bad input. One module per area.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod agent;
mod alerts;
mod asks;
mod bids;
mod draining;
mod dry_run;
mod earnings;
mod events;
mod identity;
mod invariants;
mod jobs;
mod keys;
mod metering;
mod middleware;
mod offers;
mod organisations;
mod pools;
mod prices;
mod promises;
mod quotes;
mod real_agent;
mod rentals;
mod rounds;
mod supply;
mod wallet;
