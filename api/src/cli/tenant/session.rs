//! The log-in that a machine remembers: one file, readable by its owner only.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::Environment;

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stored {
    /// Where the log-in counts.
    pub(super) server: String,
    /// Counts until `expires_at`.
    pub(super) access_token: String,
    /// Good for the next one.
    pub(super) refresh_token: String,
    /// Seconds since 1970.
    pub(super) expires_at: i64,
}

/// Where it lies: below `XDG_CONFIG_HOME`, or `~/.config`.
pub(super) fn path() -> anyhow::Result<PathBuf> {
    let folder = Environment::read("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Environment::read("HOME").map(|home| PathBuf::from(home).join(".config")));
    let folder = folder.ok_or_else(|| anyhow::anyhow!("set HOME, or pass a token in SOUK_TOKEN"))?;
    Ok(folder.join("souk").join("session.json"))
}

/// The log-in, if there is one.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<Stored>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(serde_json::from_str(&text).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Remembers the log-in. A crash leaves the old one or the new one, nothing between.
pub(super) fn write(path: &Path, stored: &Stored) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let fresh = path.with_extension(format!("json.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    file.write_all(&serde_json::to_vec_pretty(stored)?)?;
    std::fs::rename(fresh, path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_log_in_is_remembered_for_its_owner_only() {
        let folder = std::env::temp_dir().join(format!("souk-session-{}", std::process::id()));
        let path = folder.join("souk/session.json");
        assert_eq!(read(&path).unwrap(), None);
        let stored = Stored { server: "s".into(), access_token: "a".into(), refresh_token: "r".into(), expires_at: 1 };
        write(&path, &stored).unwrap();
        assert_eq!(read(&path).unwrap(), Some(stored));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
