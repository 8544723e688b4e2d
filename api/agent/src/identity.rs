//! Who this node is: a key pair that never leaves it, and the id that the server gave it.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use nix::fcntl::{Flock, FlockArg};
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};

use crate::protocol::token_message;

/// What went wrong with the node's files.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{path} is damaged; move it away to enrol as a new node", path = .0.display())]
    Damaged(PathBuf),
    /// Another agent is running there.
    #[error("another agent is running on {path}", path = .0.display())]
    Busy(PathBuf),
    /// Others could read the key.
    #[error("{path} can be read by others; run: chmod 600 {path}", path = .0.display())]
    TooOpen(PathBuf),
}

/// The node's key, and where it is kept.
#[derive(Debug)]
pub struct Identity {
    // Held as long as the agent runs, and let go of by the system however it ends.
    _lock: Flock<fs::File>,
    folder: PathBuf,
    key: SigningKey,
}

/// What the server called this node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    /// The server.
    pub server: String,
    /// The node's id there.
    pub node_id: String,
}

impl Identity {
    /// Loads the key, making it at the first start. The folder can be passed through by the users that workloads run as,
    /// but not listed; the key can be read by the agent only.
    pub fn load(folder: &Path) -> Result<Self, IdentityError> {
        fs::DirBuilder::new().recursive(true).mode(0o711).create(folder).map_err(io_error(folder))?;
        let lock = lock(folder)?;
        let path = folder.join("node.key");
        let key = match read_key(&path) {
            Err(IdentityError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => make_key(&path)?,
            read => read?,
        };
        Ok(Self { _lock: lock, folder: folder.to_owned(), key })
    }

    /// The public half, in base64.
    #[must_use]
    pub fn public_key(&self) -> String {
        STANDARD.encode(self.key.verifying_key().as_bytes())
    }

    /// The signature that a token is given for, in base64.
    #[must_use]
    pub fn sign_for_token(&self, node_id: &str, at: &str) -> String {
        STANDARD.encode(self.key.sign(token_message(node_id, at).as_bytes()).to_bytes())
    }

    /// What the server called this node, if it has enrolled.
    pub fn enrolment(&self) -> Result<Option<Enrolment>, IdentityError> {
        let path = self.folder.join("node.json");
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| IdentityError::Damaged(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(IdentityError::Io { path, source }),
        }
    }

    /// Forgets what a server called this node, to enrol again with the same key.
    pub fn forget(&self) -> Result<(), IdentityError> {
        let path = self.folder.join("node.json");
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(IdentityError::Io { path, source }),
            _ => Ok(()),
        }
    }

    /// Keeps what the server called this node.
    pub fn keep(&self, enrolment: &Enrolment) -> Result<(), IdentityError> {
        let path = self.folder.join("node.json");
        let text = serde_json::to_vec_pretty(enrolment).expect("an enrolment is plain data");
        replace(&path, &text).map_err(io_error(&path))
    }
}

/// Two agents on one folder would run every rental twice.
fn lock(folder: &Path) -> Result<Flock<fs::File>, IdentityError> {
    let path = folder.join("lock");
    let file =
        OpenOptions::new().create(true).write(true).truncate(false).mode(0o600).open(&path).map_err(io_error(&path))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, _)| IdentityError::Busy(folder.to_owned()))
}

/// Writes a file as a whole or not at all, for the agent's eyes only.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

fn read_key(path: &Path) -> Result<SigningKey, IdentityError> {
    let mut file = fs::File::open(path).map_err(io_error(path))?;
    let mode = file.metadata().map_err(io_error(path))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(IdentityError::TooOpen(path.to_owned()));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(io_error(path))?;
    let seed = STANDARD.decode(text.trim()).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    seed.map(|seed| SigningKey::from_bytes(&seed)).ok_or_else(|| IdentityError::Damaged(path.to_owned()))
}

fn make_key(path: &Path) -> Result<SigningKey, IdentityError> {
    let mut seed = [0; 32];
    OsRng.try_fill_bytes(&mut seed).expect("the operating system has randomness");
    replace(path, STANDARD.encode(seed).as_bytes()).map_err(io_error(path))?;
    Ok(SigningKey::from_bytes(&seed))
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> IdentityError {
    let path = path.to_owned();
    move |source| IdentityError::Io { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("souk-agent-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        folder
    }

    #[test]
    fn a_node_keeps_its_key_and_nobody_else_can_read_it() {
        let folder = folder("key");
        let first = Identity::load(&folder).unwrap();
        assert!(matches!(Identity::load(&folder), Err(IdentityError::Busy(_))), "one agent per folder");
        let public_key = first.public_key();
        drop(first);
        assert_eq!(Identity::load(&folder).unwrap().public_key(), public_key);
        let mode = fs::metadata(folder.join("node.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::set_permissions(folder.join("node.key"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Identity::load(&folder), Err(IdentityError::TooOpen(_))));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_enrolment_is_kept() {
        let folder = folder("enrolment");
        let identity = Identity::load(&folder).unwrap();
        assert_eq!(identity.enrolment().unwrap(), None);
        let enrolment = Enrolment { server: "http://example.org".to_owned(), node_id: "node_1".to_owned() };
        identity.keep(&enrolment).unwrap();
        assert_eq!(identity.enrolment().unwrap(), Some(enrolment));
        identity.forget().unwrap();
        assert_eq!(identity.enrolment().unwrap(), None);
        fs::write(folder.join("node.json"), "{").unwrap();
        assert!(matches!(identity.enrolment(), Err(IdentityError::Damaged(_))));
        fs::remove_dir_all(folder).unwrap();
    }
}
