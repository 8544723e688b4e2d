//! What can go wrong, each with the sentence a person can act on.

use std::path::PathBuf;

/// Why there is no PostgreSQL.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// No server binaries anywhere, and none could be fetched.
    #[error("no PostgreSQL server binaries: run `apt-get install postgresql`, or name their folder in PG_BIN_DIR{why}")]
    NoBinaries {
        /// What the last resort answered, ready to be appended.
        why: String,
    },
    /// `PG_BIN_DIR` was given and is wrong.
    #[error("PG_BIN_DIR={} does not hold both `postgres` and `initdb`", dir.display())]
    BadBinDir {
        /// The folder named.
        dir: PathBuf,
    },
    /// The cluster was made by another major version.
    #[error("{} was made by PostgreSQL {data}, but only version {found} is here: install postgresql-{data}, or dump and restore", dir.display())]
    WrongVersion {
        /// The cluster.
        dir: PathBuf,
        /// Its major version.
        data: u32,
        /// The major versions found.
        found: String,
    },
    /// Root, but nobody to drop to.
    #[error("PostgreSQL refuses to run as root, and there is neither a user `postgres` nor `nobody` to run it as")]
    NoAccount,
    /// The folder lies behind one that the server's account may not enter.
    #[error("PostgreSQL runs as `{user}`, which may not enter {}: choose another data folder, or run `chmod o+x` on that one", blocked.display())]
    Unreachable {
        /// The server's account.
        user: String,
        /// The first folder it may not enter.
        blocked: PathBuf,
    },
    /// Something that is no folder is in the way.
    #[error("{} is not a folder: choose another data folder, or move that file away", path.display())]
    NotAFolder {
        /// What is in the way.
        path: PathBuf,
    },
    /// The folder belongs to someone whose processes we may not touch.
    #[error("{} belongs to user id {owner}, and this process runs as user id {me}: use that account or another folder", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// Its owner.
        owner: u32,
        /// Us.
        me: u32,
    },
    /// Another live process owns the folder, and its server did not become ready.
    #[error("{} is in use by {owner}, whose server is not ready: wait for it, or stop it", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
        /// Who, in words.
        owner: String,
    },
    /// Processes of a killed server still work in the data folder.
    #[error("processes {pids:?} of a killed server still use {}: wait for them, or end them", dir.display())]
    Lingering {
        /// The data folder.
        dir: PathBuf,
        /// The processes.
        pids: Vec<i32>,
    },
    /// A folder that only we should be able to make was made by someone else.
    #[error("{} exists but is not a folder of the server's account alone: remove it", dir.display())]
    UnsafeSocketDir {
        /// The folder.
        dir: PathBuf,
    },
    /// The path of the socket is too long, even in the short place.
    #[error("no folder for the socket is short enough: {} has more than 107 bytes", path.display())]
    SocketPathTooLong {
        /// The path that was tried.
        path: PathBuf,
    },
    /// A program of PostgreSQL failed.
    #[error("`{program}` failed ({status}): {output}")]
    Program {
        /// Its name.
        program: &'static str,
        /// How it ended.
        status: String,
        /// The end of what it printed.
        output: String,
    },
    /// The server ended, or hung, before it was ready.
    #[error("PostgreSQL did not become ready ({why}); the end of its log: {log}")]
    NotReady {
        /// How long, or how it ended.
        why: String,
        /// The last lines of its log.
        log: String,
    },
    /// The server did not end when told to.
    #[error("PostgreSQL (process {pid}) did not stop within {seconds} seconds")]
    NotStopped {
        /// Its process.
        pid: u32,
        /// How long we waited.
        seconds: u64,
    },
    /// The disk or the kernel refused.
    #[error("cannot {what}: {why}")]
    Io {
        /// What was being done, with the path.
        what: String,
        /// Why not. Part of the sentence, and so not told again as its source.
        why: std::io::Error,
    },
}

impl EmbeddedError {
    /// For `map_err`: names what was being done.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |why| Self::Io { what, why }
    }
}
