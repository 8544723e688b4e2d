//! The users that rentals run as. An agent that is root gives each rental a user of its own, so that no rental can see,
//! signal or read another, and none can touch the agent.

use std::collections::BTreeSet;
use std::ops::Range;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Gid, Uid, User};
use serde::{Deserialize, Serialize};

/// A user and a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Account {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// Whether no other rental runs as this user.
    pub own: bool,
}

/// Which users there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accounts {
    /// A user for each rental, from this one on. They have no names, and no other agent uses them.
    Own(u32),
    /// One user for all rentals: the machine does not allow more.
    Shared(Account),
    /// The agent's own user: it is not root, and cannot become anybody else.
    Agent(Account),
}

/// There is no user that rentals could run as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "rentals never run as root, and this machine has no user `nobody`; create it, or run the agent as another user"
)]
pub struct NoAccount;

/// The first user that any agent takes: far above what systems hand out by themselves, and all blocks end below what
/// they leave to containers.
const LOWEST: u32 = 1_600_000_000;
/// Blocks of users: each agent has one, chosen by where it keeps its files.
const BLOCKS: u32 = 65_536;
/// Users in a block.
const BLOCK: u32 = 4096;

impl Accounts {
    /// Finds out what this machine allows to the agent that keeps its files here.
    pub fn detect(root: &Path) -> Result<Self, NoAccount> {
        let me = Uid::effective();
        if !me.is_root() {
            return Ok(Self::Agent(Account { uid: me.as_raw(), gid: Gid::effective().as_raw(), own: false }));
        }
        let first = LOWEST + tag(root) % BLOCKS * BLOCK;
        if can_become(first) {
            return Ok(Self::Own(first));
        }
        let nobody = User::from_name("nobody").ok().flatten().filter(|user| !user.uid.is_root()).ok_or(NoAccount)?;
        Ok(Self::Shared(Account { uid: nobody.uid.as_raw(), gid: nobody.gid.as_raw(), own: false }))
    }

    /// A user for a new rental, other than those that are taken; none when all are.
    #[must_use]
    pub fn pick(&self, taken: &BTreeSet<u32>) -> Option<Account> {
        match self {
            Self::Own(first) => (*first..first.saturating_add(BLOCK))
                .find(|uid| !taken.contains(uid))
                .map(|uid| Account { uid, gid: uid, own: true }),
            Self::Shared(account) | Self::Agent(account) => Some(*account),
        }
    }

    /// The users that belong to this agent alone.
    #[must_use]
    pub const fn exclusive(&self) -> Range<u32> {
        match self {
            Self::Own(first) => *first..first.saturating_add(BLOCK),
            Self::Shared(_) | Self::Agent(_) => 0..0,
        }
    }
}

/// A number for the place where an agent keeps its files: what it runs can be told from what other agents run.
#[must_use]
pub(super) fn tag(root: &Path) -> u32 {
    let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    // FNV-1a: short, and the same in every version.
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Whether a process can be started as this user: namespaces may know a part of all users only.
fn can_become(uid: u32) -> bool {
    let mut command = Command::new("/bin/true");
    command.uid(uid).gid(uid).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rental_gets_a_user_of_its_own() {
        let accounts = Accounts::Own(LOWEST);
        let first = accounts.pick(&BTreeSet::new()).unwrap();
        let second = accounts.pick(&BTreeSet::from([first.uid])).unwrap();
        assert_ne!(first.uid, second.uid);
        assert!(first.own && first.uid != 0);
        let all = accounts.exclusive().collect();
        assert_eq!(accounts.pick(&all), None);
    }

    #[test]
    fn two_agents_share_no_user() {
        let block = |root: &str| tag(Path::new(root)) % BLOCKS;
        assert_ne!(block("/var/lib/souk-agent/a"), block("/var/lib/souk-agent/b"));
        assert!(u64::from(LOWEST) + u64::from(BLOCKS) * u64::from(BLOCK) < 1_879_048_191);
    }

    #[test]
    fn nothing_ever_runs_as_root() {
        if let Ok(accounts) = Accounts::detect(Path::new("/tmp")) {
            assert_ne!(accounts.pick(&BTreeSet::new()).unwrap().uid, 0);
        }
    }
}
