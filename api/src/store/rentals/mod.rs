//! Rentals' rows: adding them with their leases, guarded transitions, reading them back.

mod details;
mod insert;
mod read;
mod transition;

pub use details::{Details, HeldDevice, details};
pub use insert::{NewRental, Placement, insert, place};
pub use read::{Origin, Rental, Which, get, list, lock, lock_all};
pub use transition::{transition, transition_all};
