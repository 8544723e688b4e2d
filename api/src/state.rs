//! The running server's parts, which handlers and loops share. Everything here is cheap to clone.

use std::sync::Arc;

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::app::auth::Identity;
use crate::app::bid_desk::BidDesk;
use crate::app::dry_run::DryRuns;
use crate::app::invariants::Findings;
use crate::app::open_round::OpenRounds;
use crate::app::seed::seed;
use crate::app::{Caller, Ctx, Nobody};
use crate::clock::Clock;
use crate::config::Config;
use crate::doorbell::Doorbell;
use crate::entropy::Entropy;
use crate::feed::Feed;
use crate::limiter::Limiter;
use crate::loops::{Board, Wake};
use crate::metrics::Metrics;
use crate::provider::Providers;
use crate::redis::Redis;
use crate::shells::Shells;
use crate::store::{StoreError, Tx, ledger};

/// The running server's parts, as handlers and loops see them.
#[derive(Clone)]
pub struct State {
    /// This process among the servers of one database, until it ends.
    pub server: Uuid,
    /// The settings it was started with.
    pub config: Arc<Config>,
    /// Connections to the database.
    pub db: PgPool,
    /// The door to time.
    pub clock: Arc<dyn Clock>,
    /// The door to randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Those who run the workloads.
    pub providers: Providers,
    /// Rings for nodes that wait for news.
    pub doorbell: Doorbell,
    /// Shells that wait for their nodes.
    pub shells: Shells,
    /// Tells a loop that there is something to do. Called after the commit, never before.
    pub wake: Wake,
    /// How the loops fare.
    pub board: Board,
    /// Where bids are placed.
    pub desk: BidDesk,
    /// Tries bids against the live books.
    pub dry_runs: Arc<DryRuns>,
    /// Rounds opened for reading.
    pub rounds: Arc<OpenRounds>,
    /// What the last check of the money found.
    pub findings: Findings,
    /// Signing keys and the place where passwords are hashed.
    pub identity: Arc<Identity>,
    /// How often somebody may do something.
    pub limiter: Arc<Limiter>,
    /// Redis, where there is one.
    pub redis: Option<Redis>,
    /// Events on their way to readers.
    pub feed: Feed,
    /// What this process counts.
    pub metrics: Metrics,
    /// Cancelled when the server begins to stop: streams end, readiness ends.
    pub stopping: CancellationToken,
}

impl State {
    /// Puts the parts together. The database must be migrated.
    pub async fn assemble(
        config: Config,
        db: PgPool,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, StoreError> {
        let server = entropy.id(clock.now());
        let redis = config.redis_url.as_deref().and_then(|url| Redis::new(url, Arc::clone(&clock)).ok());
        let state = Self {
            server,
            dry_runs: Arc::new(DryRuns::new(db.clone())),
            rounds: Arc::default(),
            desk: BidDesk::open(db.clone(), Arc::clone(&clock), Arc::clone(&entropy)),
            limiter: Arc::new(Limiter::new(&config, &clock, redis.clone())),
            redis,
            feed: Feed::start(&db).await?,
            identity: Arc::new(Identity::load(&db, &*entropy, clock.now()).await?),
            config: Arc::new(config),
            providers: Providers::new(db.clone(), clock.clone()),
            db,
            clock,
            entropy,
            doorbell: Doorbell::default(),
            shells: Shells::default(),
            wake: Wake::default(),
            board: Board::default(),
            findings: Findings::default(),
            metrics: Metrics::default(),
            stopping: CancellationToken::new(),
        };
        let mut tx = Tx::begin(&state.db).await?;
        let now = state.clock.now();
        ledger::open_house(&mut tx, &*state.entropy, &state.config.currency, now).await?;
        seed(&mut tx, &*state.entropy, &state.config, now).await?;
        tx.commit().await?;
        Ok(state)
    }

    /// Opens the one transaction of a use case for this caller.
    pub async fn begin(&self, caller: Caller) -> Result<Ctx<'_>, StoreError> {
        Ok(self.ctx(caller, Tx::begin(&self.db).await?))
    }

    /// Opens a read-only transaction that sees one state of the database throughout.
    pub async fn begin_snapshot(&self) -> Result<Tx, StoreError> {
        Tx::begin_snapshot(&self.db).await
    }

    /// Opens the one transaction of a use case that nobody needs to be authenticated for.
    pub async fn begin_anonymous(&self) -> Result<Ctx<'_, Nobody>, StoreError> {
        Ok(self.ctx(Nobody, Tx::begin(&self.db).await?))
    }

    fn ctx<C>(&self, caller: C, tx: Tx) -> Ctx<'_, C> {
        Ctx { tx, now: self.clock.now(), entropy: &*self.entropy, caller }
    }
}
