//! Which processes work in a data folder. PostgreSQL's own check believes in zombies and in reused pids.

use std::fs;
use std::path::Path;

/// Alive means: not a zombie, and at work in this very folder (an absolute path without links).
pub(super) fn is_alive_in(pid: i32, data: &Path) -> bool {
    let running = Stat::of(pid).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X'));
    running && works_in(pid, data)
}

/// All of PostgreSQL's processes at work in the folder. A person's shell that happens to stand there does not count.
pub(super) fn servers_in(data: &Path) -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
        .filter(|&pid| works_in(pid, data) && Stat::of(pid).is_some_and(|stat| stat.name.starts_with("postgres")))
        .collect()
}

fn works_in(pid: i32, data: &Path) -> bool {
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == data)
}

struct Stat {
    name: String,
    state: char,
}

impl Stat {
    /// `pid (name) state ...`: the name may itself hold parentheses, so the last one counts.
    fn of(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (head, rest) = text.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        Some(Self { name: name.to_owned(), state: rest.trim_start().chars().next()? })
    }
}
