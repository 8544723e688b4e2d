//! Which database a command works on: the one that is named, or the embedded one in the data directory.

use std::path::Path;
use std::time::Duration;

use crate::embedded::{Embedded, Options};

/// How often it is looked whether the embedded database is still there.
const LOOK: Duration = Duration::from_millis(500);

/// The database of a command, and its owner where that is this process.
pub struct Database {
    /// Where it is.
    pub url: String,
    embedded: Option<Embedded>,
}

impl Database {
    /// Finds or starts the database. On the main thread and before there is a runtime: the kernel ends the embedded
    /// database with the thread that started it.
    pub fn open(url: Option<&str>, data_dir: &Path) -> anyhow::Result<Self> {
        if let Some(url) = url {
            return Ok(Self { url: url.to_owned(), embedded: None });
        }
        let embedded = Embedded::start(&Options::new(data_dir.join("postgres")))?;
        for notice in embedded.notices() {
            tracing::warn!("{notice}");
        }
        if !embedded.is_owner() {
            tracing::warn!(
                "another souk runs PostgreSQL in {}: this one shares it, and loses it when that one stops",
                embedded.folder().display()
            );
        }
        tracing::info!(folder = %embedded.folder().display(), owner = embedded.is_owner(), "PostgreSQL is ready");
        Ok(Self { url: embedded.url().to_owned(), embedded: Some(embedded) })
    }

    /// Finds the database that a server on this machine uses right now. Starts nothing.
    pub fn running(url: Option<&str>, data_dir: &Path) -> anyhow::Result<Self> {
        let url = match url {
            Some(url) => Some(url.to_owned()),
            None => Embedded::running(&Options::new(data_dir.join("postgres")))?,
        };
        let url = url.ok_or_else(|| {
            anyhow::anyhow!(
                "no database runs in {}: set SOUK_DATA_DIR to the folder of the server, or DATABASE_URL to its database",
                data_dir.display()
            )
        })?;
        Ok(Self { url, embedded: None })
    }

    /// Waits until the database that this process started has ended by itself, and says how. Any other is not watched.
    pub async fn ended(&mut self) -> String {
        loop {
            if let Some(status) = self.embedded.as_mut().and_then(Embedded::ended) {
                return status;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Stops what this process started. Connections must be closed: a server that stops under them fills the log with
    /// their complaints.
    pub fn close(self) -> anyhow::Result<()> {
        if let Some(own) = self.embedded {
            own.stop()?;
        }
        Ok(())
    }
}
