//! One use case per file: load rows, decide with pure functions, write rows. A use case is handed its [`Ctx`] and
//! never commits; whoever opened the transaction commits it, in one visible line.

mod caller;
pub mod create_provider;
mod ctx;
pub mod once;

pub use caller::{Caller, Role, Scope, Via};
pub use ctx::Ctx;
