//! The rentals' processes on this machine: making them match what the server wants, and saying how they fare.
//!
//! A workload begins when its devices are free of earlier ones, lives as long as its lease, and leaves nothing behind.
//! Everything here may block for a moment (it looks into `/proc` and writes small files); async code calls it from
//! threads that may.

mod account;
mod environment;
mod launch;
mod limits;
mod log;
mod processes;
mod record;
mod workload;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use account::{Account, Accounts, NoAccount};
pub use launch::{Launch, Terminal};
pub use limits::Limits;

use record::{Phase, Rest};
use tokio::sync::Notify;
use workload::{Workload, name};

use crate::clock::Instant;
use crate::protocol::{Desired, Order, Report, Work};

/// How rentals are run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where each rental has its folder.
    pub root: PathBuf,
    /// The shell that runs commands.
    pub shell: PathBuf,
    /// What a rental may take.
    pub limits: Limits,
    /// Between asking processes to end and ending them.
    pub stop_grace: Duration,
    /// The users that rentals run as.
    pub accounts: Accounts,
}

impl Settings {
    /// The usual settings.
    pub fn new(root: PathBuf) -> Result<Self, NoAccount> {
        let bash = Path::new("/bin/bash");
        Ok(Self {
            shell: if bash.exists() { bash } else { Path::new("/bin/sh") }.to_owned(),
            limits: Limits::default(),
            stop_grace: Duration::from_secs(10),
            accounts: Accounts::detect(&root)?,
            root,
        })
    }
}

/// The folder for rentals: below the agent's own, unless rentals' users could not pass through to it.
pub fn reachable_root(data_dir: &Path) -> io::Result<PathBuf> {
    let own = data_dir.join("rentals");
    fs::DirBuilder::new().recursive(true).mode(0o711).create(&own)?;
    let own = own.canonicalize()?;
    let passable = |folder: &Path| fs::metadata(folder).is_ok_and(|entry| entry.permissions().mode() & 0o001 != 0);
    if !nix::unistd::Uid::effective().is_root() || own.ancestors().skip(1).all(passable) {
        return Ok(own);
    }
    let elsewhere = PathBuf::from(format!("/var/tmp/souk-rentals-{:08x}", account::tag(&own)));
    fs::DirBuilder::new().recursive(true).mode(0o711).create(&elsewhere)?;
    tracing::info!(folder = %elsewhere.display(), "rentals are kept here: their users could not reach the agent's folder");
    Ok(elsewhere)
}

/// Bytes of logs in one report, as JSON: what a body of the API leaves room for.
const LOG_ROOM: usize = 40 << 10;
/// Workloads that went are remembered, so that an answer from before cannot bring them back.
const REMEMBERED: usize = 1024;

/// All workloads of this machine.
#[derive(Debug)]
pub struct Runtime {
    settings: Settings,
    inside: Mutex<Inside>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    workloads: BTreeMap<String, Workload>,
    gone: BTreeSet<String>,
    followed: i64,
}

impl Runtime {
    /// Takes over what an earlier run left behind.
    pub fn open(settings: Settings) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o711).create(&settings.root)?;
        // Rentals' users pass through it, and see nothing of each other.
        fs::set_permissions(&settings.root, fs::Permissions::from_mode(0o711))?;
        let mut inside = Inside::default();
        for entry in fs::read_dir(&settings.root)?.flatten() {
            let key = entry.file_name().to_string_lossy().into_owned();
            match Workload::adopt(entry.path(), &settings.root) {
                Ok(workload) => {
                    tracing::info!(workload = key, phase = ?workload.record.phase, "taken over");
                    inside.workloads.insert(key, workload);
                }
                Err(error) => tracing::warn!(folder = key, %error, "not a workload; left alone"),
            }
        }
        sweep(&settings, &inside);
        Ok(Self { settings, inside: Mutex::new(inside), changed: Notify::new() })
    }

    /// How rentals are run.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Waits until something changes that the server should hear of.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Follows an answer of the server to a question that was asked at `asked`. Answers can overtake each other: one that
    /// is older than one that was followed is dropped.
    pub fn follow(&self, work: &Work, asked: Instant) {
        let mut inside = self.inside();
        if work.at_milliseconds < inside.followed {
            return;
        }
        inside.followed = work.at_milliseconds;
        for order in &work.workloads {
            let key = name(&order.rental_id, order.epoch);
            match order.desired {
                Desired::Gone => inside.let_go(&key),
                Desired::Running => inside.keep(key, order, &self.settings.root, asked),
            }
        }
        drop(inside);
        self.changed.notify_one();
    }

    /// Moves everything on. To be called a few times a second.
    pub fn tick(&self) {
        let now = Instant::now();
        let mut inside = self.inside();
        let mut changed = false;
        let keys: Vec<String> = inside.workloads.keys().cloned().collect();
        for key in &keys {
            let (free, taken) = (inside.devices_are_free(key), inside.taken());
            if let Some(workload) = inside.workloads.get_mut(key) {
                changed |= workload.tick(&self.settings, free, &taken, now);
            }
        }
        changed |= inside.forget();
        drop(inside);
        if changed {
            self.changed.notify_one();
        }
    }

    /// How everything fares.
    #[must_use]
    pub fn reports(&self) -> Vec<Report> {
        let now = Instant::now();
        let mut room = LOG_ROOM;
        let mut inside = self.inside();
        let report = |workload: &mut Workload| {
            let report = workload.report(now, room);
            let taken = report.log_tail.as_ref().and_then(|tail| serde_json::to_string(tail).ok());
            room = room.saturating_sub(taken.map_or(0, |json| json.len()));
            report
        };
        inside.workloads.values_mut().map(report).collect()
    }

    /// The last reports may not have arrived: what is sent only once is sent again.
    pub fn report_again(&self) {
        self.inside().workloads.values_mut().for_each(Workload::report_again);
    }

    /// What a shell in this rental is started with; `None` unless the rental can be used now.
    #[must_use]
    pub fn enter(&self, rental: &str) -> Option<Launch> {
        let inside = self.inside();
        let usable = |workload: &&Workload| {
            workload.record.order.rental_id == rental && matches!(workload.record.phase, Phase::Running { .. })
        };
        let workload = inside.workloads.values().find(usable)?;
        Some(workload.launcher(&self.settings, workload.record.account?))
    }

    /// Whether the rental can be used now.
    #[must_use]
    pub fn is_usable(&self, rental: &str) -> bool {
        self.enter(rental).is_some()
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends processes of this agent's rentals that belong to none that it remembers.
fn sweep(settings: &Settings, inside: &Inside) {
    let mark = environment::mark_of_agent(account::tag(&settings.root));
    let shared = match settings.accounts {
        Accounts::Own(_) => None,
        Accounts::Shared(account) | Accounts::Agent(account) => Some((account.uid, mark.as_str())),
    };
    let known: BTreeSet<_> = inside.workloads.values().flat_map(Workload::living).collect();
    for orphan in processes::all_of(&settings.accounts.exclusive(), shared) {
        if !known.contains(&orphan) {
            tracing::warn!(pid = orphan.pid, "ending a process that no rental remembers");
            orphan.signal(nix::sys::signal::Signal::SIGKILL);
        }
    }
}

impl Inside {
    fn keep(&mut self, key: String, order: &Order, root: &Path, asked: Instant) {
        let expires = asked.after(Duration::from_secs(order.expires_in_seconds));
        if let Some(workload) = self.workloads.get_mut(&key) {
            workload.extend(expires);
        } else if !self.gone.contains(&key) {
            match Workload::create(order.clone(), root, expires) {
                Ok(workload) => drop(self.workloads.insert(key, workload)),
                Err(error) => tracing::error!(workload = key, %error, "a workload could not be prepared"),
            }
        }
    }

    fn let_go(&mut self, key: &str) {
        if let Some(workload) = self.workloads.get_mut(key) {
            let ending =
                matches!(workload.record.phase, Phase::Ending { then: Rest::Gone, .. } | Phase::Resting(Rest::Gone));
            if !ending {
                workload.end(Rest::Gone, Instant::now(), None);
            }
        }
    }

    /// Whether no other workload has, or may still have, one of the devices that this one needs.
    fn devices_are_free(&self, key: &str) -> bool {
        let Some(wanted) = self.workloads.get(key) else { return false };
        let rests = |workload: &Workload| matches!(workload.record.phase, Phase::Waiting | Phase::Resting(_));
        let others = self.workloads.iter().filter(|(other, workload)| *other != key && !rests(workload));
        let mut held = others.flat_map(|(_, workload)| &workload.record.order.devices);
        !held.any(|device| wanted.record.order.devices.contains(device))
    }

    /// Users that workloads of this machine run as.
    fn taken(&self) -> BTreeSet<u32> {
        self.workloads.values().filter_map(|workload| Some(workload.record.account?.uid)).collect()
    }

    /// Removes what is gone, with its folder and whatever it left running.
    fn forget(&mut self) -> bool {
        let gone = |workload: &Workload| workload.record.phase == Phase::Resting(Rest::Gone);
        let keys: Vec<String> =
            self.workloads.iter().filter(|(_, workload)| gone(workload)).map(|(key, _)| key.clone()).collect();
        let mut forgot = false;
        for key in keys {
            let Some(workload) = self.workloads.get(&key) else { continue };
            if !workload.living().is_empty() {
                workload.sweep();
                continue;
            }
            if let Err(error) = workload.remove() {
                tracing::error!(workload = key, %error, "a workload's folder could not be removed and stays");
                continue;
            }
            self.workloads.remove(&key);
            self.gone.insert(key);
            forgot = true;
        }
        while self.gone.len() > REMEMBERED {
            self.gone.pop_first();
        }
        forgot
    }
}

#[cfg(test)]
mod tests;
