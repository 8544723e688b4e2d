//! The clock of measurements: monotonic and fine, which the clock of the market is not.

use std::time::{Duration, Instant};

/// When something began.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "durations are measured here, and nothing else is done with them")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// How long ago that was.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
