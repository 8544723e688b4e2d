//! From the time of a trace to the time of this machine.

use std::time::Duration;

/// Nothing is held for less: a rental takes seconds to become usable, and one that ends at once shows nothing.
const HELD_SECONDS_MIN: u64 = 120;
/// Nothing is held for longer: traces have pods that live for months, and a market of those alone stands still.
const HELD_SECONDS_MAX: u64 = 2 * 3600;
/// Longer silence is cut short: the first days of a trace are often almost empty.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// What the gap between two arrivals comes to when no speed is asked for.
const GAP_MILLIS: u64 = 400;

/// How fast a trace is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Seconds of the trace in one second, in thousandths.
    speed_milli: u64,
}

impl Pace {
    /// So many seconds of the trace in one second.
    #[must_use]
    pub const fn times(speed: u32) -> Self {
        Self { speed_milli: speed as u64 * 1000 }
    }

    /// As fast as makes an arrival every 0.4 s, going by the middle one of these gaps; at least real time.
    #[must_use]
    pub fn lively(arrivals_at_millis: &[u64]) -> Self {
        let mut gaps: Vec<u64> = arrivals_at_millis.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        gaps.sort_unstable();
        // The mean of all but the longest tenth: robust against an empty beginning.
        let kept = &gaps[..gaps.len() * 9 / 10];
        let mean = kept.iter().sum::<u64>() / u64::try_from(kept.len().max(1)).unwrap_or(1);
        Self { speed_milli: (mean * 1000 / GAP_MILLIS).max(1000) }
    }

    /// How long to wait for an arrival that comes so much later than the one before.
    #[must_use]
    pub fn gap(self, millis: u64) -> Duration {
        Duration::from_millis(self.scaled(millis)).min(SILENCE_MAX)
    }

    /// How long devices are held that the trace holds for so many seconds.
    #[must_use]
    pub fn held(self, seconds: u64) -> u64 {
        self.scaled(seconds).clamp(HELD_SECONDS_MIN, HELD_SECONDS_MAX)
    }

    /// Seconds of the trace in one second, for people.
    #[must_use]
    pub const fn speed(self) -> u64 {
        self.speed_milli / 1000
    }

    fn scaled(self, amount: u64) -> u64 {
        amount.saturating_mul(1000) / self.speed_milli.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_scales_gaps_and_holding_times_within_bounds() {
        let pace = Pace::times(10);
        assert_eq!(pace.gap(2_000), Duration::from_millis(200));
        assert_eq!(pace.gap(3_600_000), SILENCE_MAX);
        assert_eq!(pace.held(6_000), 600);
        assert_eq!(pace.held(1), HELD_SECONDS_MIN);
        assert_eq!(pace.held(10_000_000), HELD_SECONDS_MAX);
    }

    #[test]
    fn a_sparse_beginning_does_not_decide_the_speed() {
        let mut at: Vec<u64> = vec![0, 5_000_000_000];
        at.extend((1..100).map(|n| 5_000_000_000 + n * 400_000));
        assert_eq!(Pace::lively(&at).speed(), 1000);
    }

    #[test]
    fn nothing_is_played_slower_than_it_was() {
        assert_eq!(Pace::lively(&[0, 1, 2]).speed(), 1);
        assert_eq!(Pace::lively(&[]).speed(), 1);
    }
}
