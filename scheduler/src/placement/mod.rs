//! Where gangs stand: whether one fits, and where it goes best.

pub mod fit;
