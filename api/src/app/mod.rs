//! One use case per file: load rows, decide with pure functions, write rows. A use case is handed its [`Ctx`] and
//! never commits; whoever opened the transaction commits it, in one visible line.

pub mod auth;
mod caller;
pub mod create_provider;
mod ctx;
pub mod end_rentals;
pub mod give_credit;
pub mod login;
pub mod make_operator;
pub mod meter_rentals;
mod name;
pub mod once;
pub mod register;
pub mod seed;

pub use caller::{Caller, Role, Scope, Via};
pub use ctx::{Ctx, Nobody};
pub use name::Name;
