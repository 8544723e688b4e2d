//! One folder per noun, one file per verb.

pub mod alerts;
pub mod api_keys;
pub mod asks;
pub mod auth;
pub mod bids;
pub mod credits;
pub mod depth;
pub mod device_classes;
pub mod events;
pub mod explanations;
pub mod fairness;
pub mod me;
pub mod nodes;
pub mod offers;
pub mod organisations;
pub mod pools;
pub mod prices;
pub mod profiles;
pub mod providers;
pub mod quotes;
pub mod rentals;
pub mod rounds;
pub mod ssh_keys;
pub mod system;
pub mod usage;
pub mod wallet;
