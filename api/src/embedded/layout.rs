//! Where the folders are, and the short place for the socket when the usual one is too deep.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::account::Account;
use super::{EmbeddedError, Options};

/// The kernel's limit on the path of a Unix socket, without the closing zero.
const SOCKET_PATH_BYTES_MAX: usize = 107;
const SOCKET_NAME: &str = ".s.PGSQL.5432";
const SUPERUSER: &str = "souk";
const DATABASE: &str = "souk";

#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) root: PathBuf,
    pub(super) data: PathBuf,
    pub(super) data_tmp: PathBuf,
    pub(super) run: PathBuf,
    pub(super) copy: PathBuf,
    pub(super) lock: PathBuf,
    pub(super) log: PathBuf,
}

impl Layout {
    /// Decides on the folder and makes it. The sentences say where the data went if not where it was asked to go.
    pub(super) fn prepare(options: &Options, account: &Account) -> Result<(Self, Vec<String>), EmbeddedError> {
        let (root, notices) = Self::locate(options, account)?;
        // Only the leaf is the server's; what lies above keeps its owner.
        account.own_dir(&root)?;
        let root = root.canonicalize().map_err(EmbeddedError::io(format!("resolve {}", root.display())))?;
        Ok((Self::below(root), notices))
    }

    /// The folder as it is, if it was made before. Makes nothing.
    pub(super) fn existing(options: &Options, account: &Account) -> Result<Option<Self>, EmbeddedError> {
        let (root, _) = Self::locate(options, account)?;
        Ok(root.canonicalize().ok().map(Self::below))
    }

    fn locate(options: &Options, account: &Account) -> Result<(PathBuf, Vec<String>), EmbeddedError> {
        let asked = std::path::absolute(&options.data_dir)
            .map_err(EmbeddedError::io(format!("resolve {}", options.data_dir.display())))?;
        if let Some(file) = asked.ancestors().find(|path| path.exists()).filter(|path| !path.is_dir()) {
            return Err(EmbeddedError::NotAFolder { path: file.to_path_buf() });
        }
        let Some(blocked) = account.blocked_at(&asked) else { return Ok((asked, Vec::new())) };
        let stand_in = stand_in(options, account, &asked, &blocked)?;
        let notice = format!(
            "PostgreSQL runs as `{}`, which may not enter {}: the data is in {}",
            account.name,
            blocked.display(),
            stand_in.display()
        );
        Ok((stand_in, vec![notice]))
    }

    fn below(root: PathBuf) -> Self {
        Self {
            data: root.join("data"),
            data_tmp: root.join("data.tmp"),
            run: root.join("run"),
            copy: root.join("pgsql"),
            lock: root.join("owner.lock"),
            log: root.join("postgres.log"),
            root,
        }
    }

    /// Makes the folder of the socket: `run/`, or a short one under `/tmp` that nobody else can have prepared.
    pub(super) fn socket_dir(&self, account: &Account) -> Result<PathBuf, EmbeddedError> {
        if fits(&self.run) {
            account.own_dir(&self.run)?;
            return Ok(self.run.clone());
        }
        let short = PathBuf::from(format!("/tmp/souk-{}-{}", account.uid, fingerprint(&self.root)));
        if !fits(&short) {
            return Err(EmbeddedError::SocketPathTooLong { path: short });
        }
        // `create_dir` (not `_all`) never follows a link laid by someone else; what exists must be the account's alone.
        match fs::create_dir(&short) {
            Ok(()) => account.own_dir(&short)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                let found =
                    fs::symlink_metadata(&short).map_err(EmbeddedError::io(format!("look at {}", short.display())))?;
                if !found.is_dir() || found.uid() != account.uid || found.permissions().mode() & 0o077 != 0 {
                    return Err(EmbeddedError::UnsafeSocketDir { dir: short });
                }
            }
            Err(error) => return Err(EmbeddedError::io(format!("create {}", short.display()))(error)),
        }
        Ok(short)
    }
}

/// The connection string for the socket in `socket_dir`.
pub(super) fn url(socket_dir: &Path) -> String {
    format!("postgres://{SUPERUSER}@localhost:5432/{DATABASE}?host={}", percent_encode(socket_dir.as_os_str()))
}

/// The names of the socket's files in `socket_dir`.
pub(super) fn socket_files(socket_dir: &Path) -> [PathBuf; 2] {
    [socket_dir.join(SOCKET_NAME), socket_dir.join(format!("{SOCKET_NAME}.lock"))]
}

/// The stand-in depends on the folder asked for alone, so that the next start finds it again.
fn stand_in(options: &Options, account: &Account, asked: &Path, blocked: &Path) -> Result<PathBuf, EmbeddedError> {
    options
        .fallback_root
        .as_ref()
        .map(|root| root.join(fingerprint(asked)))
        .filter(|folder| account.blocked_at(folder).is_none())
        .ok_or_else(|| EmbeddedError::Unreachable { user: account.name.clone(), blocked: blocked.into() })
}

fn fits(dir: &Path) -> bool {
    dir.join(SOCKET_NAME).as_os_str().len() <= SOCKET_PATH_BYTES_MAX
}

fn fingerprint(path: &Path) -> String {
    Sha256::digest(path.as_os_str().as_bytes()).iter().take(5).fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

fn percent_encode(path: &OsStr) -> String {
    path.as_bytes().iter().fold(String::new(), |mut text, &byte| {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _infallible = write!(text, "%{byte:02X}");
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_path_of_107_bytes_fits_and_one_of_108_does_not() {
        let dir = |bytes: usize| PathBuf::from(format!("/{}", "d".repeat(bytes - 1)));
        let name = SOCKET_NAME.len() + 1;
        assert!(fits(&dir(107 - name)));
        assert!(!fits(&dir(108 - name)));
    }

    #[test]
    fn a_folder_with_spaces_and_signs_survives_the_url() {
        assert_eq!(url(Path::new("/a b/ü?&%")), "postgres://souk@localhost:5432/souk?host=/a%20b/%C3%BC%3F%26%25");
    }
}
