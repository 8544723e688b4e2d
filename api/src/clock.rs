//! The door to time. Whatever needs the time is handed a [`Clock`] or, better, a value of it.
//!
//! Every instant is truncated to whole milliseconds, which PostgreSQL and JSON both keep exactly.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use scheduler::world::time::At;
use time::OffsetDateTime;

/// Something that knows the time.
pub trait Clock: Send + Sync + 'static {
    /// The present, in UTC, in whole milliseconds.
    fn now(&self) -> OffsetDateTime;

    /// Time since some moment of this process that never runs backwards: for measuring, never for storing.
    fn elapsed(&self) -> Duration;
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    fn now(&self) -> OffsetDateTime {
        truncated(OffsetDateTime::now_utc())
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    fn elapsed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// A clock that moves only when told to.
#[derive(Debug)]
pub struct FrozenClock(AtomicI64);

impl FrozenClock {
    /// A clock that stands at `instant`.
    #[must_use]
    pub fn at(instant: OffsetDateTime) -> Self {
        Self(AtomicI64::new(millis(instant)))
    }

    /// Moves the clock forward (or, with a negative duration, back: clocks do that).
    pub fn advance(&self, by: time::Duration) {
        let by = i64::try_from(by.whole_milliseconds()).unwrap_or(i64::MAX);
        self.0.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for FrozenClock {
    fn now(&self) -> OffsetDateTime {
        from_millis(self.0.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.load(Ordering::SeqCst)).unwrap_or(0))
    }
}

/// The instant as the market's integer time.
#[must_use]
pub fn to_at(instant: OffsetDateTime) -> At {
    At::from_millis(millis(instant))
}

/// The market's integer time as an instant.
#[must_use]
pub fn from_at(at: At) -> OffsetDateTime {
    from_millis(at.millis())
}

/// The instant as events and the ledger's reasons spell it.
#[must_use]
pub fn rfc3339(instant: OffsetDateTime) -> String {
    instant.format(&time::format_description::well_known::Rfc3339).unwrap_or_default()
}

fn millis(instant: OffsetDateTime) -> i64 {
    i64::try_from(instant.unix_timestamp_nanos().div_euclid(1_000_000)).unwrap_or(i64::MAX)
}

fn from_millis(millis: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn truncated(instant: OffsetDateTime) -> OffsetDateTime {
    from_millis(millis(instant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_clock_moves_only_when_told() {
        let clock = FrozenClock::at(OffsetDateTime::UNIX_EPOCH);
        assert_eq!(clock.now(), clock.now());
        clock.advance(time::Duration::milliseconds(1500));
        assert_eq!(to_at(clock.now()).millis(), 1500);
    }

    #[test]
    fn instants_before_the_epoch_round_down() {
        let instant = OffsetDateTime::from_unix_timestamp_nanos(-1).unwrap();
        assert_eq!(to_at(truncated(instant)).millis(), -1);
    }
}
