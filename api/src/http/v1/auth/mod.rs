//! Signing up, logging in, refreshing, logging out.

pub mod login;
pub mod logout;
pub mod refresh;
pub mod register;
mod view;

pub use view::SessionView;
