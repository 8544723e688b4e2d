//! The pools' terms, kept in memory for a second: hundreds of bids a second need not ask for what rarely changes.

use std::sync::Arc;

use scheduler::world::GpuRequest;
use scheduler::world::ids::PoolId;
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use crate::config::limits;
use crate::store::catalogue::{self, ClassTerms, PoolTerms};
use crate::store::{StoreError, Tx};

/// The terms, as they were at one instant.
#[derive(Debug)]
pub struct Terms {
    pools: Vec<PoolTerms>,
    read_at: OffsetDateTime,
}

impl Terms {
    /// Terms as they were read at that instant, the oldest pool first.
    pub(super) const fn new(pools: Vec<PoolTerms>, read_at: OffsetDateTime) -> Self {
        Self { pools, read_at }
    }

    /// The pool that was named; the oldest that has what is asked for when none was.
    #[must_use]
    pub fn pool(&self, named: Option<PoolId>, request: &GpuRequest) -> Option<&PoolTerms> {
        match named {
            Some(id) => self.pools.iter().find(|pool| pool.id == id),
            None => self.pools.iter().find(|pool| matching(pool, request).next().is_some()).or(self.pools.first()),
        }
    }
}

/// The classes of the pool that the request matches.
pub fn matching<'a>(pool: &'a PoolTerms, request: &'a GpuRequest) -> impl Iterator<Item = &'a ClassTerms> {
    pool.classes.iter().filter(|class| request.matches(&class.class))
}

/// The kept terms. Reading them again is cheap enough to do whenever it matters.
#[derive(Debug)]
pub struct Catalogue {
    db: PgPool,
    kept: Mutex<Option<Arc<Terms>>>,
}

impl Catalogue {
    /// Nothing is read until somebody asks.
    #[must_use]
    pub fn new(db: PgPool) -> Self {
        Self { db, kept: Mutex::new(None) }
    }

    /// Decides on the kept terms. Nobody is refused on old terms: they are read again, and it is decided anew.
    pub async fn decide<T, E>(
        &self,
        now: OffsetDateTime,
        decide: impl Fn(&Terms) -> Result<T, E>,
    ) -> Result<Result<T, E>, StoreError> {
        match decide(&*self.recent(now).await?) {
            Ok(decided) => Ok(Ok(decided)),
            Err(_) => Ok(decide(&*self.read(&mut *self.kept.lock().await, now).await?)),
        }
    }

    async fn recent(&self, now: OffsetDateTime) -> Result<Arc<Terms>, StoreError> {
        let mut kept = self.kept.lock().await;
        match &*kept {
            Some(terms) if (terms.read_at..terms.read_at + limits::CATALOGUE).contains(&now) => Ok(Arc::clone(terms)),
            _ => self.read(&mut kept, now).await,
        }
    }

    async fn read(&self, kept: &mut Option<Arc<Terms>>, now: OffsetDateTime) -> Result<Arc<Terms>, StoreError> {
        let mut tx = Tx::begin_snapshot(&self.db).await?;
        let terms = Arc::new(Terms::new(catalogue::load(&mut tx, now).await?, now));
        *kept = Some(Arc::clone(&terms));
        Ok(terms)
    }
}
