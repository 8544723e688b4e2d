//! Reading `postmaster.pid`, the server's own note about itself: one fact a line, the status on the eighth.

use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Postmaster {
    pub(super) pid: i32,
    /// Absent while the server has not opened its socket yet.
    pub(super) socket_dir: Option<PathBuf>,
    /// Accepts connections, by its own word.
    pub(super) ready: bool,
}

impl Postmaster {
    /// What the file says; `None` when there is none or it is still being written.
    pub(super) fn read(data: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(file(data)).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        // The standalone backend writes a negative pid.
        let pid: i32 = lines.first()?.parse::<i32>().ok()?.checked_abs()?;
        let socket_dir = lines.get(4).filter(|dir| !dir.is_empty()).map(PathBuf::from);
        Some(Self { pid, socket_dir, ready: lines.get(7) == Some(&"ready") })
    }
}

pub(super) fn file(data: &Path) -> PathBuf {
    data.join("postmaster.pid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_eighth_line_says_ready() {
        let text = "4711\n/data\n1700000000\n5432\n/run\n\n  123  456\nready   \n";
        let expected = Postmaster { pid: 4711, socket_dir: Some("/run".into()), ready: true };
        assert_eq!(Postmaster::parse(text), Some(expected));
        let starting = text.replace("ready   ", "starting");
        assert!(!Postmaster::parse(&starting).is_some_and(|found| found.ready));
        assert_eq!(Postmaster::parse(""), None);
    }
}
