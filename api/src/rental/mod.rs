//! What a rental is, pure: its states, what is billed in each, what runs for it, and what its end means for the bid or
//! job it served. No SQL, no clock. `store::rentals` keeps what is decided here, `app` decides it.

mod admission;
mod after;
mod reason;
mod state;
mod token;
mod workload;

pub use admission::{Admission, Capacity, ClassLoad, NotAdmitted, admit};
pub use after::{BidAfter, JobAfter};
pub use reason::EndReason;
pub use state::{Action, BillingClass, Observation, Refused, RentalKind, RentalState, StateName};
pub use token::{BadToken, ClientToken};
pub use workload::{Observed, Order, Sighting};
