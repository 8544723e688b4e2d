//! The only SQL. One concrete [`Tx`]; free functions that take `&mut Tx`, load rows or write rows, and decide nothing.
//!
//! Every UPDATE names the id, the state and the version it expects, and must touch exactly one row. Statements are
//! prepared against a migrated database by the contract suite, so a column that does not exist fails the build.

pub mod admin;
pub mod agents;
pub mod alerts;
pub mod api_keys;
pub mod apply;
pub mod asks;
pub mod audit;
pub mod bids;
pub mod capacity;
pub mod catalogue;
mod column;
pub mod completion;
pub mod demand;
pub mod device_classes;
pub mod devices;
pub mod earnings;
pub mod enrolment_tokens;
mod error;
pub mod events;
pub mod expiry;
pub mod explanations;
pub mod holds;
pub mod idempotency;
pub mod invariants;
pub mod job_names;
pub mod jobs;
pub mod leases;
pub mod ledger;
pub mod liveness;
pub mod market;
pub mod members;
pub mod metering;
pub mod nodes;
pub mod offers;
pub mod organisations;
pub mod pool_leases;
pub mod pools;
pub mod prices;
pub mod profiles;
pub mod promises;
pub mod providers;
pub mod quotes;
pub mod refresh_tokens;
pub mod reliability;
pub mod rentals;
pub mod rounds;
pub mod schema;
pub mod shell_tickets;
pub mod signing_keys;
pub mod simulated;
pub mod snapshot;
pub mod ssh_keys;
mod tx;
pub mod usage;
pub mod users;
pub mod wallet;
pub mod workloads;

pub use column::UnknownValue;
pub use error::StoreError;
pub use tx::{Tx, aside, connect, migrate, migrations};
