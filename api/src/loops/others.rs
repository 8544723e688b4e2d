//! Signals from the loops of other servers, through Redis. A signal carries only a loop's name; without Redis loops go
//! by their periods.

use std::time::Duration;

use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;

use super::LoopName;
use crate::State;
use crate::redis::Redis;

const CHANNEL: &str = "souk:wake";
/// Before listening again after the connection was lost.
const PAUSE: Duration = Duration::from_secs(1);

impl State {
    /// Tells the other servers' loops of that name that there is something to do. Costs nothing without Redis.
    pub async fn wake_others(&self, name: LoopName) {
        if let Some(redis) = &self.redis {
            let mut commands = redis::pipe();
            commands.publish(CHANNEL, name.as_str()).ignore();
            redis.run::<()>(&commands).await;
        }
    }
}

/// Passes signals of other servers on, until shutdown.
pub async fn listen(state: &State, shutdown: &CancellationToken) {
    let Some(redis) = &state.redis else { return };
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            ended = pass_on(state, redis) => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "not listening to other servers");
                }
            }
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

async fn pass_on(state: &State, redis: &Redis) -> redis::RedisResult<()> {
    let mut listener = redis.client().get_async_pubsub().await?;
    listener.subscribe(CHANNEL).await?;
    // What was said before listening began.
    state.wake.signal(LoopName::Relay);
    let mut messages = listener.into_on_message();
    while let Some(message) = messages.next().await {
        let said: String = message.get_payload()?;
        if let Some(name) = LoopName::ALL.into_iter().find(|name| name.as_str() == said) {
            state.wake.signal(name);
        }
    }
    Ok(())
}
