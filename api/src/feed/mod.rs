//! Events on their way to readers: numbered ones are read from the database once per server and handed to every reader
//! that they concern. A reader that cannot keep up reads from the database instead; nobody is waited for.

mod reader;

use std::sync::{Arc, Mutex, PoisonError};

use scheduler::world::ids::{OrganisationId, PoolId};
use sqlx::PgPool;
use tokio::sync::broadcast;

pub use reader::{Item, Reader};

use crate::config::limits;
use crate::store::events::{self, Event};
use crate::store::{StoreError, Tx};

/// Whose events a reader sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// An organisation's, with those of its providers.
    Organisation(OrganisationId),
    /// What a pool shows to everybody.
    Pool(PoolId),
}

impl Topic {
    /// Whether the event is of this topic.
    #[must_use]
    pub fn covers(self, event: &Event) -> bool {
        match self {
            Self::Organisation(id) => {
                event.organisation_id == Some(id.uuid()) || event.provider_organisation_id == Some(id.uuid())
            }
            Self::Pool(id) => {
                let private = event.organisation_id.is_some() || event.provider_organisation_id.is_some();
                event.pool_id == Some(id.uuid()) && !private
            }
        }
    }

    async fn load(self, tx: &mut Tx, after: i64) -> Result<Vec<Event>, StoreError> {
        match self {
            Self::Organisation(id) => events::of_organisation(tx, id, after, limits::EVENTS_PER_PAGE).await,
            Self::Pool(id) => events::of_pool(tx, id, after, limits::EVENTS_PER_PAGE).await,
        }
    }
}

/// One server's events, from the moment it started.
#[derive(Debug, Clone)]
pub struct Feed {
    readers: broadcast::Sender<Arc<Event>>,
    seen: Arc<Mutex<i64>>,
}

impl Feed {
    /// A feed of what is numbered from now on.
    pub async fn start(db: &PgPool) -> Result<Self, StoreError> {
        let position = events::position(&mut Tx::begin_snapshot(db).await?).await?;
        let (readers, _) = broadcast::channel(limits::EVENTS_BUFFERED);
        Ok(Self { readers, seen: Arc::new(Mutex::new(position)) })
    }

    /// Hands what was numbered since the last call to the readers, whichever server numbered it. Answers how many.
    pub async fn follow(&self, db: &PgPool) -> Result<usize, StoreError> {
        let fresh = events::after(&mut Tx::begin_snapshot(db).await?, self.seen(), limits::EVENTS_PER_PAGE).await?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut handed = 0;
        for event in fresh {
            if event.position > *seen {
                *seen = event.position;
                handed += 1;
                // Nobody reading is fine.
                drop(self.readers.send(Arc::new(event)));
            }
        }
        Ok(handed)
    }

    /// The last number that was handed out.
    #[must_use]
    pub fn seen(&self) -> i64 {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reader of a topic. With the number of the last event it has seen it misses nothing; without one it begins now.
    #[must_use]
    pub fn reader(&self, db: PgPool, topic: Topic, last_seen: Option<i64>) -> Reader {
        let live = self.readers.subscribe();
        Reader::new(db, topic, last_seen.map_or_else(|| self.seen(), |last| last.min(self.seen())), live)
    }
}
