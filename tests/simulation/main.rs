//! The whole market in virtual time, against an independent auditor. One module per area.

mod actors;
mod audit;
mod auditor;
mod market;
mod scale;
