//! Finish-time fairness.
pub mod deadline;
pub mod weight;
