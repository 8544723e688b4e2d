//! Fairness: how far each job is from what a private share of the pool would have given it.

pub mod get;
mod view;

pub use view::{FairnessView, StandingView};
