//! From claims to whole gangs: who is let in, who stays, who has to leave.
//!
//! [`queue`] lines the claims up, [`seating`] serves them one by one, [`foresight`] again until nothing surprises, [`displace`] finds out whom a stronger claim may send
//! away, [`moves`] when a running gang is better off elsewhere, `contention` which jobs nobody bids against, [`limits`] and [`quota`] how far each right reaches. Prices are made
//! afterwards, from who got a seat and who did not.

pub mod claim;
mod contention;
pub mod displace;
pub mod foresight;
pub mod limits;
pub mod moves;
pub mod queue;
pub mod quota;
pub mod search;
pub mod seating;
