//! The whole market in virtual time, against an independent auditor. One module per area.

#![allow(clippy::print_stdout, reason = "a run says its seed and its figures")]
#![allow(clippy::disallowed_methods, reason = "a test that measures time has to read it")]

mod actors;
mod audit;
mod market;
mod scale;
