//! One folder per noun, one file per verb.

pub mod providers;
