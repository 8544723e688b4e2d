//! What a rental is, pure: its states, what is billed in each, and what its end means for the bid or job it ran for.
//! No SQL, no clock. `store::rentals` keeps what is decided here, `app` decides it.

mod after;
mod reason;
mod state;

pub use after::{BidAfter, JobAfter};
pub use reason::EndReason;
pub use state::{Action, BillingClass, Observation, Refused, RentalKind, RentalState, StateName};
