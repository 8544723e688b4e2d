//! One database per test, cloned from a migrated template in a throw-away cluster.
//!
//! `SOUK_TEST_DATABASE_URL` names a cluster to use. Without it, one is started on /dev/shm without fsync; the first
//! test process starts it, the others find it, and `make test` stops it.

use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use souk::config::Environment;
use souk::embedded::{Embedded, Lifetime, Options};
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::sync::OnceCell;

/// A database that is dropped with its test.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    admin_url: String,
    name: String,
}

impl TestDatabase {
    /// Clones the template.
    pub async fn create() -> anyhow::Result<Self> {
        let admin_url = cluster().await?;
        let template = template(&admin_url).await?;
        let name = format!("souk_test_{}_{}", std::process::id(), next());
        let mut admin = PgConnection::connect(&admin_url).await?;
        admin.execute(format!(r#"CREATE DATABASE "{name}" TEMPLATE "{template}""#).as_str()).await?;
        Ok(Self { url: with_database(&admin_url, &name), admin_url, name })
    }

    /// A database with nothing in it, not even a schema.
    pub async fn empty() -> anyhow::Result<Self> {
        let admin_url = cluster().await?;
        let name = format!("souk_test_{}_{}", std::process::id(), next());
        let mut admin = PgConnection::connect(&admin_url).await?;
        admin.execute(format!(r#"CREATE DATABASE "{name}""#).as_str()).await?;
        Ok(Self { url: with_database(&admin_url, &name), admin_url, name })
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (admin_url, name) = (self.admin_url.clone(), self.name.clone());
        // A runtime cannot be blocked from within itself: the drop has a thread of its own.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut admin = PgConnection::connect(&admin_url).await?;
                admin.execute(format!(r#"DROP DATABASE IF EXISTS "{name}" WITH (FORCE)"#).as_str()).await?;
                anyhow::Ok(())
            })
        });
        drop(dropping.join());
    }
}

/// The cluster's URL, with the database `postgres`.
async fn cluster() -> anyhow::Result<String> {
    static URL: OnceCell<String> = OnceCell::const_new();
    URL.get_or_try_init(|| async {
        if let Some(url) = Environment::read("SOUK_TEST_DATABASE_URL") {
            return Ok(url);
        }
        tokio::task::spawn_blocking(start_cluster).await?
    })
    .await
    .cloned()
}

fn start_cluster() -> anyhow::Result<String> {
    let base = if PathBuf::from("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
    // `make test` names a folder of its own and removes it afterwards.
    let folder = Environment::read("SOUK_TEST_CLUSTER").map_or_else(|| base.join("souk-test-cluster"), PathBuf::from);
    let mut options = Options::throwaway(folder);
    options.lifetime = Lifetime::Detached;
    let embedded = Embedded::start(&options)?;
    let url = with_database(embedded.url(), "postgres");
    Ok(url)
}

/// The migrated template, made once per set of migrations.
async fn template(admin_url: &str) -> anyhow::Result<String> {
    let migrations = souk::store::migrations();
    let mut hash = Sha256::new();
    for migration in migrations {
        hash.update(&*migration.checksum);
    }
    let digest = hash.finalize();
    let name = format!("souk_template_{}", digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>());
    let mut admin = PgConnection::connect(admin_url).await?;
    // One process makes the template, the others wait for it here.
    admin.execute("SELECT pg_advisory_lock(7345)").await?;
    let exists: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
        .bind(&name)
        .fetch_one(&mut admin)
        .await?;
    if !exists {
        let making = format!("{name}_making");
        admin.execute(format!(r#"DROP DATABASE IF EXISTS "{making}" WITH (FORCE)"#).as_str()).await?;
        admin.execute(format!(r#"CREATE DATABASE "{making}""#).as_str()).await?;
        let pool = souk::store::connect(&with_database(admin_url, &making), 1).await?;
        souk::store::migrate(&pool).await?;
        pool.close().await;
        // The server may take a moment to notice that the connection is closed, and renames nothing that is in use.
        sqlx::query("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1")
            .bind(&making)
            .execute(&mut admin)
            .await?;
        admin.execute(format!(r#"ALTER DATABASE "{making}" RENAME TO "{name}""#).as_str()).await?;
    }
    admin.execute("SELECT pg_advisory_unlock(7345)").await?;
    Ok(name)
}

fn with_database(url: &str, name: &str) -> String {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let stem = base.rsplit_once('/').map_or(base, |(stem, _)| stem);
    if query.is_empty() { format!("{stem}/{name}") } else { format!("{stem}/{name}?{query}") }
}

fn next() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
