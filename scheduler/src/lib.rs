//! The market, pure.
