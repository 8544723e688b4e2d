//! The account the server runs as, and what that account can reach.
//!
//! PostgreSQL refuses to run as root. Root runs it as `postgres`, else `nobody`; anybody else as himself.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use nix::unistd::{Gid, Uid, User, geteuid};

use super::EmbeddedError;

const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

#[derive(Debug, Clone)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// Set when it is not the account this process runs as.
    pub(super) switch: bool,
}

impl Account {
    /// The account for a new cluster.
    pub(super) fn for_server(wanted: &Path) -> Result<Self, EmbeddedError> {
        let me = geteuid();
        if !me.is_root() {
            let (uid, gid) = (me.as_raw(), nix::unistd::getegid().as_raw());
            let name = lookup(me).map_or_else(|| uid.to_string(), |user| user.name);
            return Ok(Self { name, uid, gid, switch: false });
        }
        CANDIDATES
            .iter()
            .find_map(|name| User::from_name(name).ok().flatten())
            .map(Self::switch_to)
            .ok_or(EmbeddedError::NoAccount)
            .inspect(|account| tracing::debug!(user = account.name, folder = %wanted.display(), "account chosen"))
    }

    /// The account of a cluster that is already there: it stays with whoever owns it.
    pub(super) fn of_existing(self, data: &Path) -> Result<Self, EmbeddedError> {
        let Ok(found) = fs::metadata(data) else { return Ok(self) };
        if found.uid() == self.uid {
            return Ok(self);
        }
        let me = geteuid();
        if !me.is_root() || found.uid() == 0 {
            return Err(EmbeddedError::Foreign { dir: data.into(), owner: found.uid(), me: me.as_raw() });
        }
        let (uid, gid) = (found.uid(), found.gid());
        let name = lookup(Uid::from_raw(uid)).map_or_else(|| uid.to_string(), |user| user.name);
        Ok(Self { name, uid, gid, switch: true })
    }

    fn switch_to(user: User) -> Self {
        let User { name, uid, gid, .. } = user;
        Self { name, uid: Uid::as_raw(uid), gid: Gid::as_raw(gid), switch: true }
    }

    /// Makes a folder that this account alone may use. What exists stays, but is given the owner and the mode.
    pub(super) fn own_dir(&self, dir: &Path) -> Result<(), EmbeddedError> {
        self.create_way_to(dir).map_err(EmbeddedError::io(format!("create {}", dir.display())))?;
        if self.switch {
            chown(dir, Some(self.uid), Some(self.gid)).map_err(EmbeddedError::io(format!(
                "give {} to `{}`",
                dir.display(),
                self.name
            )))?;
        }
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
            .map_err(EmbeddedError::io(format!("close {} to others", dir.display())))
    }

    /// Folders made on the way can be entered whatever the umask says; those that exist keep their mode.
    fn create_way_to(&self, dir: &Path) -> std::io::Result<()> {
        let missing: Vec<&Path> = dir.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
                Ok(()) if self.switch => fs::set_permissions(folder, fs::Permissions::from_mode(0o711))?,
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// The first folder on the way to `dir` (an absolute path) that this account may not enter.
    ///
    /// Folders that do not exist yet are not in the way: whoever makes them decides.
    pub(super) fn blocked_at(&self, dir: &Path) -> Option<PathBuf> {
        let mut way: Vec<&Path> = dir.ancestors().skip(1).collect();
        way.reverse();
        way.into_iter()
            .find(|folder| fs::metadata(folder).is_ok_and(|found| !self.may_enter(&found)))
            .map(Path::to_path_buf)
    }

    fn may_enter(&self, folder: &fs::Metadata) -> bool {
        // Supplementary groups are dropped on the switch, so that only the primary one counts.
        let shift = if folder.uid() == self.uid {
            6
        } else if folder.gid() == self.gid {
            3
        } else {
            0
        };
        self.uid == 0 || (folder.mode() >> shift) & 1 == 1
    }
}

fn lookup(uid: Uid) -> Option<User> {
    User::from_uid(uid).ok().flatten()
}
