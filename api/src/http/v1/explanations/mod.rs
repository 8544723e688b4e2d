//! Explanations: why a demand got what it got in the last round that looked at it. Each is read where its demand is.

mod sentence;
mod view;

pub use sentence::sentence;
pub use view::{ExplanationView, NumberView};
