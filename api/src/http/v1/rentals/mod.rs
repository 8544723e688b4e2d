//! Rentals: devices in a tenant's hands.

pub mod create;
pub mod end;
pub mod get;
pub mod list;
pub mod logs;
pub mod open_shell;
pub mod start;
pub mod stop;
pub mod usage;
mod view;

pub use view::{RentalView, render, render_all};
