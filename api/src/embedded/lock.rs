//! Who owns the folder: an flock of our own.
//!
//! PostgreSQL's lock file is not enough: it names a pid, and after a crash that pid is a zombie or somebody else's.
//! The kernel drops an flock when its holder is gone, however it went. The text inside is for people only.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::{EmbeddedError, Lifetime};

#[derive(Debug)]
pub(super) struct OwnerLock {
    file: File,
}

#[derive(Debug)]
pub(super) enum Claim {
    /// We own the folder. `survivor`: how the last owner wanted its server to live, if it left one.
    Ours { lock: OwnerLock, survivor: Option<Lifetime> },
    /// A live process owns it; this describes which.
    Taken(String),
}

impl OwnerLock {
    /// Takes the lock, or says who has it. Never waits: an owner holds it for as long as it lives.
    pub(super) fn claim(path: &Path) -> Result<Claim, EmbeddedError> {
        let io = |what: &str| format!("{what} {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o644)
            .open(path)
            .map_err(EmbeddedError::io(io("open")))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                file.read_to_string(&mut owner).map_err(EmbeddedError::io(io("read")))?;
                let pid = owner.split_whitespace().nth(1).unwrap_or("unknown").to_owned();
                return Ok(Claim::Taken(format!("process {pid}")));
            }
            Err(TryLockError::Error(error)) => return Err(EmbeddedError::io(io("lock"))(error)),
        }
        let mut last = String::new();
        file.read_to_string(&mut last).map_err(EmbeddedError::io(io("read")))?;
        let survivor = match last.split_whitespace().next() {
            Some("detached") => Some(Lifetime::Detached),
            Some("with-parent") => Some(Lifetime::WithParent),
            _ => None,
        };
        Ok(Claim::Ours { lock: Self { file }, survivor })
    }

    /// Writes down who we are and how our server is to live, once we have decided to start one.
    pub(super) fn record(&mut self, lifetime: Lifetime) -> Result<(), EmbeddedError> {
        let word = match lifetime {
            Lifetime::WithParent => "with-parent",
            Lifetime::Detached => "detached",
        };
        self.file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| writeln!(self.file, "{word} {}", std::process::id()))
            .map_err(EmbeddedError::io("write owner.lock"))
    }
}
