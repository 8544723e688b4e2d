//! What the agent remembers of a workload across its own restarts, in the workload's folder.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::account::Account;
use super::processes::Process;
use crate::clock::Instant;
use crate::identity::replace;
use crate::protocol::Order;

/// A workload, as far as it outlives the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What was asked for.
    pub order: Order,
    /// The user that it runs as; none before it was started.
    pub account: Option<Account>,
    /// Its first process; none before it was started.
    pub leader: Option<Process>,
    /// The boot of the machine in which it was started.
    pub boot_id: String,
    /// Where it stands.
    pub phase: Phase,
    /// When its lease lapses, unless the server extends it.
    pub expires: Instant,
    /// How long it was usable, up to the end of its last usable time.
    pub usable_millis: u64,
    /// What its command ended with.
    pub exit_code: Option<i32>,
    /// What went wrong.
    pub message: Option<String>,
}

/// Where a workload stands on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Its devices are still in other hands.
    Waiting,
    /// Its first process was started a moment ago.
    Starting {
        /// When.
        since: Instant,
    },
    /// It can be used.
    Running {
        /// Since when.
        since: Instant,
    },
    /// Its processes are being ended.
    Ending {
        /// Since when.
        since: Instant,
        /// Where it stands then.
        then: Rest,
    },
    /// None of its processes is left.
    Resting(Rest),
}

/// What a workload whose processes are gone was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// Its command finished.
    Exited,
    /// It could not start, or something other than its command ended it.
    Failed,
    /// The server wants it gone: its folder goes, too.
    Gone,
}

impl Record {
    /// A new one.
    #[must_use]
    pub fn new(order: Order, boot_id: String, expires: Instant) -> Self {
        Self {
            order,
            account: None,
            leader: None,
            boot_id,
            phase: Phase::Waiting,
            expires,
            usable_millis: 0,
            exit_code: None,
            message: None,
        }
    }

    /// The record in a workload's folder.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let bytes = fs::read(folder.join(FILE))?;
        serde_json::from_slice(&bytes).map_err(io::Error::other)
    }

    /// Keeps it.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        replace(&folder.join(FILE), &serde_json::to_vec(self).map_err(io::Error::other)?)
    }

    /// All the time that it was usable, up to `now`.
    #[must_use]
    pub fn usable_until(&self, now: Instant) -> u64 {
        let running = match self.phase {
            Phase::Running { since } => u64::try_from(now.since(since).as_millis()).unwrap_or(u64::MAX),
            _ => 0,
        };
        self.usable_millis.saturating_add(running)
    }
}

const FILE: &str = "record.json";
