//! One workload on this machine: its record, its folder, its processes, and how it goes from phase to phase.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use nix::sys::signal::Signal;

use super::account::{Account, tag};
use super::launch::{Launch, Terminal};
use super::log::Log;
use super::processes::{Marks, Process, boot_id, members};
use super::record::{Phase, Record, Rest};
use super::{Settings, environment};
use crate::clock::Instant;
use crate::protocol::{Order, Report, WorkloadState};

/// A lease is extended in steps of this, since each is written down.
const EXTENDED_BY: Duration = Duration::from_secs(20);
/// A process that is still there after this time has started.
const STARTED_AFTER: Duration = Duration::from_millis(250);
/// A command that ends so soon with one of [`NOT_STARTED`] was never started.
const NOT_STARTED_WITHIN: Duration = Duration::from_secs(1);
/// What a shell ends with when it cannot run a command.
const NOT_STARTED: [i32; 2] = [126, 127];

/// A workload.
#[derive(Debug)]
pub(super) struct Workload {
    pub record: Record,
    tag: u32,
    folder: PathBuf,
    log: Log,
    /// Its first process, if this agent started it and not one before.
    child: Option<Child>,
}

impl Workload {
    /// One that was asked for just now.
    pub fn create(order: Order, root: &Path, expires: Instant) -> io::Result<Self> {
        let folder = root.join(name(&order.rental_id, order.epoch));
        fs::DirBuilder::new().recursive(true).mode(0o711).create(&folder)?;
        let record = Record::new(order, boot_id(), expires);
        record.save(&folder)?;
        Ok(Self { record, tag: tag(root), log: Log::at(folder.join("log")), folder, child: None })
    }

    /// One that an earlier run of the agent left behind: what still runs is taken over, what does not has ended.
    pub fn adopt(folder: PathBuf, root: &Path) -> io::Result<Self> {
        let record = Record::load(&folder)?;
        let mut workload = Self { record, tag: tag(root), log: Log::at(folder.join("log")), folder, child: None };
        let now = Instant::now();
        match workload.record.phase {
            _ if workload.record.boot_id != boot_id() => {
                workload.record.leader = None;
                workload.fail("the node was restarted");
                workload.record.phase = Phase::Resting(Rest::Failed);
            }
            Phase::Waiting if !workload.living().is_empty() => {
                // It was started, and the agent ended before it could note that.
                workload.record.phase = Phase::Starting { since: now };
                workload.end(Rest::Failed, now, Some("the agent was restarted while this was starting"));
            }
            Phase::Starting { .. } | Phase::Running { .. } if !workload.leader_lives() => {
                workload.end(Rest::Exited, now, Some("it ended while the agent was being restarted"));
            }
            _ => {}
        }
        workload.save();
        Ok(workload)
    }

    /// Extends its lease, as long as it is not over.
    pub fn extend(&mut self, expires: Instant) {
        if expires.since(self.record.expires) > EXTENDED_BY {
            self.record.expires = expires;
            self.save();
        }
    }

    /// Moves it on, as far as it goes now. Returns whether something changed that the server should hear of.
    pub fn tick(&mut self, settings: &Settings, free: bool, taken: &BTreeSet<u32>, now: Instant) -> bool {
        let before = (self.record.phase, self.record.message.clone());
        match self.record.phase {
            Phase::Waiting if now > self.record.expires => {
                self.fail("its lease lapsed before it could start");
                self.record.phase = Phase::Resting(Rest::Failed);
            }
            Phase::Waiting if free => self.start(settings, taken, now),
            Phase::Waiting | Phase::Resting(_) => {}
            Phase::Starting { since } => self.watch(since, now),
            Phase::Running { .. } if now > self.record.expires => {
                self.end(Rest::Failed, now, Some("its lease lapsed: the server was silent for too long"));
            }
            Phase::Running { since } => self.watch(since, now),
            Phase::Ending { since, then } => self.finish(since, then, settings.stop_grace, now),
        }
        if matches!(self.record.phase, Phase::Running { .. }) {
            drop(self.log.cut());
        }
        let changed = before != (self.record.phase, self.record.message.clone());
        if changed {
            self.save();
        }
        changed
    }

    fn start(&mut self, settings: &Settings, taken: &BTreeSet<u32>, now: Instant) {
        let Some(account) = settings.accounts.pick(taken) else {
            self.fail("this node has no user left to run it as");
            self.record.phase = Phase::Resting(Rest::Failed);
            return;
        };
        // Written before the process is there: whoever finds it later knows whose it is.
        self.record.account = Some(account);
        self.save();
        match self.launch(settings, account) {
            Ok((child, leader)) => {
                self.child = Some(child);
                self.record.leader = Some(leader);
                self.record.phase = Phase::Starting { since: now };
            }
            Err(error) => {
                self.fail(&format!("it could not be started: {error}"));
                self.record.phase = Phase::Resting(Rest::Failed);
            }
        }
    }

    fn launch(&self, settings: &Settings, account: Account) -> io::Result<(Child, Process)> {
        environment::furnish(&self.home(), account)?;
        let launch = self.launcher(settings, account);
        // Without a command there is nothing but shells; something has to keep the session.
        let command = self.record.order.command.as_deref().unwrap_or("exec sleep 2147483647");
        let child = launch.start(&settings.shell, &["-c", command], Terminal::Log(self.log.open()?))?;
        let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
        let leader = Process::find(pid).ok_or_else(|| io::Error::other("it ended at once"))?;
        Ok((child, leader))
    }

    /// What every process of this workload is started with.
    pub fn launcher(&self, settings: &Settings, account: Account) -> Launch {
        let home = self.home();
        let environment = environment::of(self.tag, &self.record.order, &home);
        Launch { account, environment, home, limits: settings.limits }
    }

    /// Looks after the first process: whether it has started, and whether it is still there.
    fn watch(&mut self, since: Instant, now: Instant) {
        let Some(code) = self.leader_ended() else {
            if matches!(self.record.phase, Phase::Starting { .. }) && now.since(since) >= STARTED_AFTER {
                self.record.phase = Phase::Running { since: now };
            }
            return;
        };
        let age = now.since(since);
        self.record.exit_code = code;
        match code {
            Some(code) if NOT_STARTED.contains(&code) && age < NOT_STARTED_WITHIN => {
                self.record.usable_millis = 0;
                self.end(Rest::Failed, now, Some("its command could not be started"));
            }
            _ => self.end(Rest::Exited, now, None),
        }
    }

    /// Begins its end: the clock of its use stops, and its processes are told to end.
    pub fn end(&mut self, then: Rest, now: Instant, why: Option<&str>) {
        if let Some(why) = why {
            self.fail(why);
        }
        self.record.usable_millis = self.record.usable_until(now);
        match self.record.phase {
            Phase::Ending { since, .. } => self.record.phase = Phase::Ending { since, then },
            Phase::Resting(_) | Phase::Waiting => self.record.phase = Phase::Resting(then),
            Phase::Starting { .. } | Phase::Running { .. } => {
                self.record.phase = Phase::Ending { since: now, then };
                self.signal(Signal::SIGTERM);
            }
        }
        self.save();
    }

    fn finish(&mut self, since: Instant, then: Rest, grace: Duration, now: Instant) {
        // Reaps it; its code was noted when it ended by itself.
        let _ = self.leader_ended();
        if self.living().is_empty() {
            self.record.phase = Phase::Resting(then);
        } else if now.since(since) >= grace {
            self.signal(Signal::SIGKILL);
        }
    }

    /// Ends whatever is left, at once. For what a workload leaves behind after it has ended.
    pub fn sweep(&self) {
        self.signal(Signal::SIGKILL);
    }

    fn signal(&self, signal: Signal) {
        for process in self.living() {
            process.signal(signal);
        }
    }

    /// Its living processes.
    pub fn living(&self) -> Vec<Process> {
        let Some(account) = self.record.account else {
            return Vec::new();
        };
        let variable = environment::mark(self.tag, &self.record.order);
        members(&Marks { leader: self.record.leader, account, variable: &variable })
    }

    fn leader_lives(&self) -> bool {
        self.record.leader.is_some_and(|leader| leader.is_alive())
    }

    /// `Some` when its first process has ended; with its code, when this agent is its parent.
    fn leader_ended(&mut self) -> Option<Option<i32>> {
        if let Some(child) = &mut self.child {
            let status = child.try_wait().ok().flatten()?;
            return Some(status.code().or_else(|| status.signal().map(|signal| 128 + signal)));
        }
        (!self.leader_lives()).then_some(None)
    }

    /// Removes its folder.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }

    fn fail(&mut self, why: &str) {
        self.record.message.get_or_insert_with(|| why.to_owned());
    }

    fn save(&self) {
        if let Err(error) = self.record.save(&self.folder) {
            tracing::error!(%error, folder = %self.folder.display(), "a workload's record could not be kept");
        }
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// What the server should know. `room` is how many bytes of it may be log.
    pub fn report(&mut self, now: Instant, room: usize) -> Report {
        let record = &self.record;
        let state = match record.phase {
            Phase::Waiting => WorkloadState::Pulling,
            Phase::Starting { .. } => WorkloadState::Starting,
            Phase::Running { .. } | Phase::Ending { then: Rest::Gone, .. } => WorkloadState::Running,
            Phase::Ending { then: Rest::Exited, .. } | Phase::Resting(Rest::Exited | Rest::Gone) => {
                WorkloadState::Exited
            }
            Phase::Ending { then: Rest::Failed, .. } | Phase::Resting(Rest::Failed) => WorkloadState::Failed,
        };
        Report {
            rental_id: record.order.rental_id.clone(),
            epoch: record.order.epoch,
            state,
            exit_code: record.exit_code,
            message: record.message.clone(),
            usable_milliseconds_total: i64::try_from(record.usable_until(now)).unwrap_or(i64::MAX),
            log_tail: self.log.news(room),
        }
    }

    /// Sends the log again with the next report: the last one may not have arrived.
    pub fn report_again(&mut self) {
        self.log.report_again();
    }
}

/// The name of a workload's folder.
pub(super) fn name(rental: &str, epoch: i64) -> String {
    format!("{rental}.{epoch}")
}
