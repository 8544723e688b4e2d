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

/// Processor time of this thread: what a computation costs, whatever else the machine does.
#[derive(Debug, Clone, Copy)]
pub struct ProcessorTime(nix::sys::time::TimeSpec);

impl ProcessorTime {
    /// Begins now.
    #[must_use]
    pub fn start() -> Self {
        Self(used())
    }

    /// Milliseconds of processor time since.
    #[must_use]
    pub fn milliseconds(self) -> f64 {
        Duration::from(used() - self.0).as_secs_f64() * 1e3
    }
}

/// Processor time that this thread has used; none where the system does not tell.
fn used() -> nix::sys::time::TimeSpec {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap_or(nix::sys::time::TimeSpec::new(0, 0))
}
