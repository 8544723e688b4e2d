//! One folder per noun, one file per verb.

pub mod auth;
pub mod credits;
pub mod me;
pub mod organisations;
pub mod providers;
pub mod usage;
pub mod wallet;
