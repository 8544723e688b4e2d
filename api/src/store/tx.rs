//! The one transaction type, and the connection to the database.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgQueryResult};
use sqlx::{PgConnection, Postgres, Transaction};

use super::StoreError;

/// One transaction of one use case. Dropped without [`Tx::commit`], it leaves no trace.
#[derive(Debug)]
pub struct Tx(Transaction<'static, Postgres>);

impl Tx {
    /// Begins a read-write transaction (read committed; writes are guarded by version).
    pub async fn begin(pool: &PgPool) -> Result<Self, StoreError> {
        Ok(Self(pool.begin().await?))
    }

    /// Begins a read-only transaction that sees one state of the database throughout.
    pub async fn begin_snapshot(pool: &PgPool) -> Result<Self, StoreError> {
        Ok(Self(pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?))
    }

    /// Makes everything done through this transaction lasting, at once.
    pub async fn commit(self) -> Result<(), StoreError> {
        Ok(self.0.commit().await?)
    }

    /// The connection, for statements of this module.
    pub(super) fn conn(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

/// Turns "exactly one row" into a typed error when a guarded write touched another number.
pub(super) fn exactly_one(what: &'static str, result: &PgQueryResult) -> Result<(), StoreError> {
    match result.rows_affected() {
        1 => Ok(()),
        touched => Err(StoreError::Stale { what, touched }),
    }
}

/// Connects to PostgreSQL.
pub async fn connect(url: &str, connections: u32) -> Result<PgPool, StoreError> {
    let options = PgConnectOptions::from_str(url)?.application_name("souk").options([
        ("timezone", "UTC"),
        ("statement_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "30s"),
    ]);
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_with(options)
        .await?;
    Ok(pool)
}

/// Connections of their own for one hot statement of the same database: nobody else keeps them busy, and the statement is
/// planned once, since no parameter makes another plan better. Opened when they are first used.
#[must_use]
pub fn aside(pool: &PgPool, connections: usize) -> PgPool {
    let connections = u32::try_from(connections).unwrap_or(u32::MAX);
    let options = PgConnectOptions::clone(&pool.connect_options()).options([("plan_cache_mode", "force_generic_plan")]);
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_lazy_with(options)
}

/// Brings the schema up to date. Safe to run from several replicas at once.
pub async fn migrate(pool: &PgPool) -> Result<(), sqlx::migrate::MigrateError> {
    MIGRATOR.run(pool).await
}

/// The migrations compiled into this binary.
#[must_use]
pub fn migrations() -> &'static [sqlx::migrate::Migration] {
    &MIGRATOR.migrations
}

static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");
