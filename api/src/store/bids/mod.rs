//! Bids' rows: placing them, reading them, closing them. What rounds and the ends of rentals do to them is in
//! `store::apply` and `store::demand`.

mod close;
mod place;
mod read;

pub use close::close;
pub use place::{NewBid, Placed, place};
pub use read::{Booked, Filter, ending, find, list};
