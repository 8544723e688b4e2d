//! One use case per file: load rows, decide with pure functions, write rows. A use case is handed its [`Ctx`] and
//! never commits; whoever opened the transaction commits it, in one visible line.

pub mod add_simulated_node;
pub mod add_ssh_key;
pub mod audit_rounds;
pub mod auth;
pub mod bid_desk;
mod caller;
pub mod cancel_bid;
pub mod catalogue;
pub mod close_bid;
mod command;
pub mod create_api_key;
pub mod create_organisation;
pub mod create_provider;
mod ctx;
pub mod end_rentals;
pub mod expire_bids;
pub mod give_credit;
pub mod listed_node;
pub mod login;
pub mod logout;
pub mod make_operator;
pub mod market_pool;
pub mod members;
pub mod meter_due;
pub mod meter_rentals;
pub mod move_node;
mod name;
pub mod once;
pub mod place_ask;
pub mod place_bid;
pub mod quote_rental;
pub mod refresh_session;
pub mod register;
pub mod rotate_signing_key;
pub mod round_due;
pub mod seed;
pub mod settle_round;
pub mod show_bids;
pub mod ssh_key;
pub mod supply_events;
pub mod withdraw_ask;

pub use caller::{Caller, Role, Scope, Via};
pub use command::Command;
pub use ctx::{Ctx, Nobody};
pub use name::Name;
