//! What a caller may choose. Reads the environment in one place; must not touch the disk.

use std::ffi::OsString;
use std::path::PathBuf;

/// How much a crash may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A commit that was answered survives the power going out.
    Durable,
    /// For tests on a memory file system: nothing is synced, nothing survives a crash.
    Throwaway,
}

/// When the server ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// With the thread that started it, however that ends.
    WithParent,
    /// When somebody stops it by `postmaster.pid`: one server shared by many short-lived test processes.
    Detached,
}

/// How to start the server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Everything lies below this folder.
    pub data_dir: PathBuf,
    /// Where to go when the server's account cannot reach `data_dir`; `None` makes that an error.
    pub fallback_root: Option<PathBuf>,
    /// Where `postgres` and `initdb` are, if the caller knows.
    pub bin_dir: Option<PathBuf>,
    /// The folders of `PATH`, searched next.
    pub search_path: OsString,
    /// Where the distribution keeps one folder per major version, searched after that.
    pub distribution_root: PathBuf,
    /// Whether a private copy may be fetched when the machine has no PostgreSQL.
    pub may_fetch: bool,
    /// How much a crash may cost.
    pub durability: Durability,
    /// When the server ends.
    pub lifetime: Lifetime,
    /// Further settings, handed to the server as `-c name=value` after souk's own, so that they win.
    pub settings: Vec<(String, String)>,
}

impl Options {
    /// A durable server that ends with this process, found the usual way.
    #[must_use]
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        let (bin_dir, search_path) = environment();
        Self {
            data_dir: data_dir.into(),
            fallback_root: Some(PathBuf::from("/var/lib/souk")),
            bin_dir,
            search_path,
            distribution_root: PathBuf::from("/usr/lib/postgresql"),
            may_fetch: true,
            durability: Durability::Durable,
            lifetime: Lifetime::WithParent,
            settings: Vec::new(),
        }
    }

    /// The same, for tests: fast and forgetful.
    #[must_use]
    pub fn throwaway(data_dir: impl Into<PathBuf>) -> Self {
        Self { durability: Durability::Throwaway, ..Self::new(data_dir) }
    }

    /// Adds one server setting.
    #[must_use]
    pub fn setting(mut self, name: &str, value: impl Into<String>) -> Self {
        self.settings.push((name.to_owned(), value.into()));
        self
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "PATH and PG_BIN_DIR describe the machine, not souk: a test without a configuration needs them too"
)]
fn environment() -> (Option<PathBuf>, OsString) {
    let bin_dir = std::env::var_os("PG_BIN_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    (bin_dir, std::env::var_os("PATH").unwrap_or_default())
}
