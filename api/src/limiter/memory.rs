//! One rate, counted in this process: a leaky bucket per key, on the server's own clock.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::{Rate, Verdict, WINDOW};
use crate::clock::Clock;

/// One rate's buckets.
pub struct Memory {
    rate: Rate,
    quota: NonZero<u32>,
    clock: Arc<dyn Clock>,
    buckets: RateLimiter<String, DashMapStateStore<String>, OurClock, StateInformationMiddleware>,
}

impl Memory {
    pub fn new(rate: Rate, quota: NonZero<u32>, clock: Arc<dyn Clock>) -> Self {
        let buckets = RateLimiter::new(Quota::per_minute(quota), DashMapStateStore::default(), OurClock(clock.clone()));
        Self { rate, quota, clock, buckets }
    }

    pub const fn rate(&self) -> Rate {
        self.rate
    }

    pub const fn quota(&self) -> u32 {
        self.quota.get()
    }

    /// Takes one call from the key's bucket.
    pub fn count(&self, key: &str) -> Verdict {
        let (remaining, retry_after) = match self.buckets.check_key(&key.to_owned()) {
            Ok(snapshot) => (snapshot.remaining_burst_capacity(), None),
            Err(too_many) => (0, Some(too_many.wait_time_from(OurClock(self.clock.clone()).now()))),
        };
        let missing = self.quota().saturating_sub(remaining);
        Verdict {
            rate: self.rate,
            quota: self.quota(),
            remaining,
            reset_seconds: whole_seconds(WINDOW.saturating_mul(missing) / self.quota()),
            retry_after_seconds: retry_after.map(|wait| whole_seconds(wait).max(1)),
        }
    }

    pub fn forget_idle(&self) {
        self.buckets.retain_recent();
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} {})", self.rate.as_str(), self.quota)
    }
}

/// Up to the next second: whoever waits that long need not wait again.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[derive(Debug, Clone)]
struct OurClock(Arc<dyn Clock>);

impl GovernorClock for OurClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        // The library subtracts from the first instant that it sees; the origin must not be near zero.
        let origin = Nanos::from(Duration::from_secs(3600));
        origin + Nanos::from(self.0.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::clock::FrozenClock;

    #[test]
    fn a_key_has_its_quota_and_gets_it_back_in_time() {
        let clock = Arc::new(FrozenClock::at(OffsetDateTime::UNIX_EPOCH));
        let memory = Memory::new(Rate::LoginEmail, NonZero::new(6).unwrap(), clock.clone());
        for remaining in (0..6).rev() {
            let verdict = memory.count("ana");
            assert_eq!((verdict.remaining, verdict.retry_after_seconds), (remaining, None));
        }
        assert_eq!(memory.count("ana").retry_after_seconds, Some(10));
        assert_eq!(memory.count("ben").remaining, 5);
        clock.advance(time::Duration::seconds(9));
        assert_eq!(memory.count("ana").retry_after_seconds, Some(1));
        clock.advance(time::Duration::seconds(1));
        assert_eq!(memory.count("ana").retry_after_seconds, None);
    }

    #[test]
    fn keys_that_are_full_again_take_no_memory() {
        let clock = Arc::new(FrozenClock::at(OffsetDateTime::UNIX_EPOCH));
        let memory = Memory::new(Rate::Caller, NonZero::new(60).unwrap(), clock.clone());
        memory.count("ana");
        clock.advance(time::Duration::seconds(2));
        memory.count("ben");
        memory.forget_idle();
        assert_eq!(memory.buckets.len(), 1);
    }
}
