//! Where a gang may stand, and where it stands best.
//!
//! [`fit`] is the predicate, `board` what is left of the pool while a round fills it, `newcomers` who was let in at this very
//! instant, `rank` the order in which places are tried. Who is placed before whom is not decided here.

pub(crate) mod board;
pub mod fit;
pub(crate) mod newcomers;
pub(crate) mod rank;

pub use fit::{Misfit, Need, fit};
