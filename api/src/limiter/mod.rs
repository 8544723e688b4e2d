//! How often somebody may do something: counted in memory, and in Redis when there is one, so that replicas share a
//! count. Losing Redis costs precision only: each replica then counts for itself.

mod memory;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use self::memory::Memory;
use crate::clock::Clock;
use crate::config::Config;
use crate::redis::Redis;

/// The window that all rates are counted in.
const WINDOW: Duration = Duration::from_secs(60);

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// Requests of an authenticated caller.
    Caller,
    /// Requests from an address by nobody in particular.
    Anonymous,
    /// Requests from an address by providers' nodes.
    Agents,
    /// Attempts to log in with an email address.
    LoginEmail,
    /// Attempts to log in or sign up from an address.
    LoginAddress,
}

impl Rate {
    const ALL: [Self; 5] = [Self::Caller, Self::Anonymous, Self::Agents, Self::LoginEmail, Self::LoginAddress];

    /// The name in headers and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "default",
            Self::Anonymous => "anonymous",
            Self::Agents => "agents",
            Self::LoginEmail => "login_email",
            Self::LoginAddress => "login_address",
        }
    }

    fn quota(self, config: &Config) -> NonZero<u32> {
        let quota = match self {
            Self::Caller | Self::Anonymous => config.requests_per_minute,
            Self::Agents => config.requests_per_minute.saturating_mul(10),
            Self::LoginEmail => config.logins_per_minute,
            Self::LoginAddress => config.logins_per_minute.saturating_mul(6),
        };
        NonZero::new(quota).unwrap_or(NonZero::<u32>::MIN)
    }
}

/// What the count says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// What was counted.
    pub rate: Rate,
    /// Calls per window.
    pub quota: u32,
    /// Calls left now.
    pub remaining: u32,
    /// Seconds until all calls are there again.
    pub reset_seconds: u64,
    /// Seconds to wait, when this call is one too many.
    pub retry_after_seconds: Option<u64>,
}

/// The counts.
#[derive(Debug)]
pub struct Limiter {
    clock: Arc<dyn Clock>,
    memory: [Memory; Rate::ALL.len()],
    shared: Option<Redis>,
}

impl std::fmt::Debug for dyn Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl Limiter {
    /// Counts that begin now.
    #[must_use]
    pub fn new(config: &Config, clock: &Arc<dyn Clock>, shared: Option<Redis>) -> Self {
        let memory = Rate::ALL.map(|rate| Memory::new(rate, rate.quota(config), Arc::clone(clock)));
        Self { clock: Arc::clone(clock), memory, shared }
    }

    /// Counts one call under the key.
    pub async fn count(&self, rate: Rate, key: &str) -> Verdict {
        let memory = self.memory.iter().find(|memory| memory.rate() == rate).expect("every rate has its count");
        if let Some(redis) = &self.shared
            && let Some(verdict) = self.count_shared(redis, memory, key).await
        {
            return verdict;
        }
        memory.count(key)
    }

    /// Forgets keys that have all their calls again.
    pub fn forget_idle(&self) {
        for memory in &self.memory {
            memory.forget_idle();
        }
    }

    /// A fixed window that is the same on every replica.
    async fn count_shared(&self, redis: &Redis, memory: &Memory, key: &str) -> Option<Verdict> {
        let window = i64::try_from(WINDOW.as_secs()).ok()?;
        let now = self.clock.now().unix_timestamp();
        let key = format!("souk:rate:{}:{}:{key}", memory.rate().as_str(), now.div_euclid(window));
        let mut commands = redis::pipe();
        commands.incr(&key, 1).expire(&key, window).ignore();
        let (count,): (u32,) = redis.run(&commands).await?;
        let left = u64::try_from(window - now.rem_euclid(window)).unwrap_or(1);
        let quota = memory.quota();
        Some(Verdict {
            rate: memory.rate(),
            quota,
            remaining: quota.saturating_sub(count),
            reset_seconds: left,
            retry_after_seconds: (count > quota).then_some(left),
        })
    }
}
