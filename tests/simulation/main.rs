//! The whole market in virtual time, against an independent auditor. One module per area.

mod audit;
mod scale;
