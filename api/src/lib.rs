//! The market, pure.

pub mod embedded;
