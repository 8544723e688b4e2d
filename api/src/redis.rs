//! Redis, when there is one: rate limits that replicas share, and events that reach other replicas sooner. It may be
//! slow, lie or vanish at any time; whoever asks it has another way to go on.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, FromRedisValue, Pipeline};
use tokio::time::timeout;

use crate::clock::Clock;

/// A command that takes longer has failed.
const PATIENCE: Duration = Duration::from_millis(50);
/// Connecting may take a little longer.
const PATIENCE_TO_CONNECT: Duration = Duration::from_millis(500);
/// After a failure nobody asks again for this long.
const PAUSE: Duration = Duration::from_secs(1);

/// A Redis server that may or may not answer.
#[derive(Clone)]
pub struct Redis {
    client: Client,
    clock: Arc<dyn Clock>,
    link: Arc<Mutex<Link>>,
}

#[derive(Default)]
struct Link {
    manager: Option<ConnectionManager>,
    connecting: bool,
    failed_at: Option<Duration>,
}

impl Redis {
    /// A server by its URL. Nothing is connected yet.
    pub fn new(url: &str, clock: Arc<dyn Clock>) -> Result<Self, redis::RedisError> {
        Ok(Self { client: Client::open(url)?, clock, link: Arc::default() })
    }

    /// The client, for subscriptions, which need a connection of their own.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Runs commands; `None` when the server does not answer just now.
    pub async fn run<T: FromRedisValue>(&self, commands: &Pipeline) -> Option<T> {
        let mut manager = self.manager().await?;
        let outcome = timeout(PATIENCE, commands.query_async(&mut manager)).await;
        match outcome.map_err(|_| "it took too long".to_owned()).and_then(|done| done.map_err(|e| e.to_string())) {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::warn!(error, "Redis does not answer; going on without it for a second");
                self.note(None);
                None
            }
        }
    }

    /// The connection. Only the very first request waits for it; after a failure it is made in the background.
    async fn manager(&self) -> Option<ConnectionManager> {
        let first = {
            let mut link = self.lock();
            let pausing =
                link.failed_at.is_some_and(|failed_at| self.clock.elapsed().saturating_sub(failed_at) < PAUSE);
            if link.manager.is_some() || link.connecting || pausing {
                return link.manager.clone();
            }
            link.connecting = true;
            link.failed_at.is_none()
        };
        let redis = self.clone();
        let connecting = tokio::spawn(async move { redis.connect().await });
        if first { connecting.await.ok().flatten() } else { None }
    }

    async fn connect(&self) -> Option<ConnectionManager> {
        let config = ConnectionManagerConfig::new().set_number_of_retries(0).set_response_timeout(PATIENCE);
        let connecting = ConnectionManager::new_with_config(self.client.clone(), config);
        let manager = timeout(PATIENCE_TO_CONNECT, connecting).await.ok().and_then(Result::ok);
        self.note(manager.clone());
        manager
    }

    fn note(&self, manager: Option<ConnectionManager>) {
        let failed_at = manager.is_none().then(|| self.clock.elapsed());
        *self.lock() = Link { manager, connecting: false, failed_at };
    }

    fn lock(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redis")
    }
}
