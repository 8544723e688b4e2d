//! One reader's place in the stream.

use std::collections::VecDeque;
use std::sync::Arc;

use sqlx::PgPool;
use tokio::sync::broadcast::{self, error::RecvError};

use super::Topic;
use crate::config::limits;
use crate::store::events::{self, Event};
use crate::store::{StoreError, Tx};

/// What comes next for a reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// An event.
    Event(Arc<Event>),
    /// Events between the last one seen and the next were forgotten: look at the objects themselves.
    Gap,
}

/// A reader of one topic. It holds at most one page of events; the rest waits in the database.
#[derive(Debug)]
pub struct Reader {
    db: PgPool,
    topic: Topic,
    last: i64,
    live: broadcast::Receiver<Arc<Event>>,
    page: VecDeque<Item>,
    catching_up: bool,
    fresh: bool,
}

impl Reader {
    pub(super) fn new(db: PgPool, topic: Topic, last: i64, live: broadcast::Receiver<Arc<Event>>) -> Self {
        Self { db, topic, last, live, page: VecDeque::new(), catching_up: true, fresh: true }
    }

    /// Waits for the next item; `None` when the feed has ended. Dropping the wait loses nothing.
    pub async fn next(&mut self) -> Result<Option<Item>, StoreError> {
        loop {
            if let Some(item) = self.page.pop_front() {
                if let Item::Event(event) = &item {
                    self.last = event.position;
                }
                return Ok(Some(item));
            }
            if self.catching_up {
                self.load().await?;
                continue;
            }
            match self.live.recv().await {
                Ok(event) if event.position <= self.last => {}
                Ok(event) if self.topic.covers(&event) => self.page.push_back(Item::Event(event)),
                Ok(event) => self.last = event.position,
                Err(RecvError::Lagged(_)) => self.catching_up = true,
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }

    async fn load(&mut self) -> Result<(), StoreError> {
        let mut tx = Tx::begin_snapshot(&self.db).await?;
        let gap = self.fresh && events::first_kept(&mut tx).await? > self.last + 1;
        let rows = self.topic.load(&mut tx, self.last).await?;
        let full = i64::try_from(rows.len()).is_ok_and(|rows| rows >= limits::EVENTS_PER_PAGE);
        self.page.extend(gap.then_some(Item::Gap));
        self.page.extend(rows.into_iter().map(|event| Item::Event(Arc::new(event))));
        (self.catching_up, self.fresh) = (full, false);
        Ok(())
    }
}
