//! The agent's only clock: milliseconds since the machine booted, counting the time that it slept. Nothing sets it, it
//! survives restarts of the agent, and a wrong wall clock means nothing to it.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// An instant on this machine, until it reboots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(u64);

impl Instant {
    /// The present.
    #[must_use]
    pub fn now() -> Self {
        let since_boot = clock_gettime(ClockId::CLOCK_BOOTTIME).map(Duration::from).unwrap_or_default();
        Self(millis(since_boot))
    }

    /// This instant, `by` later.
    #[must_use]
    pub fn after(self, by: Duration) -> Self {
        Self(self.0.saturating_add(millis(by)))
    }

    /// How long ago `earlier` was; nothing if it is still to come.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_and_never_goes_back() {
        let then = Instant::now();
        let later = then.after(Duration::from_secs(1));
        assert!(Instant::now() >= then);
        assert_eq!(later.since(then), Duration::from_secs(1));
        assert_eq!(then.since(later), Duration::ZERO);
    }
}
