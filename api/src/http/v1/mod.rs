//! One folder per noun, one file per verb.

pub mod auth;
pub mod me;
pub mod organisations;
pub mod providers;
