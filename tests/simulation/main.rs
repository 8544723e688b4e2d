//! The whole market in virtual time, against an independent auditor. One module per area.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
