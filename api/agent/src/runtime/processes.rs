//! Processes of this machine, as `/proc` shows them. A process is its number and when it started: numbers are used
//! again, and what is signalled must never be a stranger.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::account::Account;

/// One process, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// When it started, in ticks since boot.
    pub started: u64,
}

/// What is looked at in `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    zombie: bool,
    session: i32,
    started: u64,
}

impl Process {
    /// The process of that number, if there is one.
    #[must_use]
    pub fn find(pid: i32) -> Option<Self> {
        Some(Self { pid, started: stat(pid)?.started })
    }

    /// Whether it is there and not a zombie.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        stat(self.pid).is_some_and(|stat| stat.started == self.started && !stat.zombie)
    }

    /// Sends a signal, unless the number has gone to another process.
    pub fn signal(&self, signal: Signal) {
        if self.is_alive() {
            // It may end between the look and the signal; then there is nobody to receive it.
            let _ = kill(Pid::from_raw(self.pid), signal);
        }
    }
}

/// What tells the processes of a workload from all others.
#[derive(Debug, Clone, Copy)]
pub struct Marks<'a> {
    /// The first process, which leads the session that the others inherit.
    pub leader: Option<Process>,
    /// The user that they run as.
    pub account: Account,
    /// How a variable in the environment begins that they inherit: `NAME=value`.
    pub variable: &'a str,
}

/// The living processes of a workload. A user of its own decides; otherwise it is the session, as long as its leader
/// lives, or the inherited variable.
#[must_use]
pub fn members(marks: &Marks<'_>) -> Vec<Process> {
    let me = i32::try_from(std::process::id()).unwrap_or(0);
    let session = marks.leader.filter(Process::is_alive).map(|leader| leader.pid);
    let belongs = |pid: i32, stat: &Stat| {
        if owner(pid) != Some(marks.account.uid) {
            return false;
        }
        marks.account.own || session == Some(stat.session) || inherited(pid, marks.variable)
    };
    numbers()
        .filter(|pid| *pid != me)
        .filter_map(|pid| Some((pid, stat(pid)?)))
        .filter(|(pid, stat)| !stat.zombie && belongs(*pid, stat))
        .map(|(pid, stat)| Process { pid, started: stat.started })
        .collect()
}

/// The living processes of these users, or of this user with such a variable in their environment.
#[must_use]
pub fn all_of(users: &Range<u32>, shared: Option<(u32, &str)>) -> Vec<Process> {
    let belongs = |pid: i32| {
        let Some(uid) = owner(pid) else { return false };
        users.contains(&uid) || shared.is_some_and(|(user, prefix)| uid == user && inherited(pid, prefix))
    };
    numbers().filter(|pid| belongs(*pid)).filter_map(Process::find).filter(Process::is_alive).collect()
}

/// Which boot of the machine this is.
#[must_use]
pub fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned()).unwrap_or_default()
}

fn numbers() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn owner(pid: i32) -> Option<u32> {
    fs::metadata(format!("/proc/{pid}")).ok().map(|entry| entry.uid())
}

fn inherited(pid: i32, beginning: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(beginning.as_bytes()))
}

fn stat(pid: i32) -> Option<Stat> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name in the second field may hold spaces and parentheses; everything after its last `)` is plain.
fn parse(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some(Stat {
        zombie: matches!(*fields.first()?, "Z" | "X" | "x"),
        session: fields.get(3)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_confuse_the_reader() {
        let text = "42 (a) b) (c) S 1 42 41 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 9 9";
        assert_eq!(parse(text), Some(Stat { zombie: false, session: 41, started: 12345 }));
        assert_eq!(parse("42 (x"), None);
    }

    #[test]
    fn a_number_that_went_to_another_process_is_not_signalled() {
        let me = Process::find(i32::try_from(std::process::id()).unwrap()).unwrap();
        assert!(me.is_alive());
        let stranger = Process { started: me.started + 1, ..me };
        assert!(!stranger.is_alive());
        // Were it sent, this test would be over.
        stranger.signal(Signal::SIGKILL);
    }
}
