//! The running server: starting it, waiting until it is ready, and stopping it.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::account::Account;
use super::layout::Layout;
use super::postmaster::Postmaster;
use super::wait::poll;
use super::{Binaries, Durability, EmbeddedError, Lifetime, Options, spawn};

/// Replaying the log after a crash can take minutes.
const READY_SECONDS_MAX: u64 = 300;
pub(super) const STOP_SECONDS_MAX: u64 = 30;
/// The server's log is set aside at the next start once it is longer.
const LOG_BYTES_MAX: u64 = 16 << 20;

const THROWAWAY: [&str; 5] =
    ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "wal_level=minimal"];

#[derive(Debug)]
pub(super) struct Server {
    child: Child,
}

impl Server {
    /// Starts the server and returns once it accepts connections.
    pub(super) fn start(
        layout: &Layout,
        socket_dir: &Path,
        binaries: &Binaries,
        account: &Account,
        options: &Options,
    ) -> Result<Self, EmbeddedError> {
        let log = open_log(&layout.log)?;
        let errors = log.try_clone().map_err(EmbeddedError::io("open the server's log twice"))?;
        let mut command = spawn::as_account(&binaries.program("postgres"), account);
        command.arg("-D").arg(&layout.data).arg("-k").arg(socket_dir);
        apply_settings(&mut command, options);
        command.stdout(log).stderr(Stdio::from(errors));
        if options.lifetime == Lifetime::WithParent {
            spawn::tie_to_this_thread(&mut command);
        }
        let child = command.spawn().map_err(EmbeddedError::io("run `postgres`"))?;
        let mut server = Self { child };
        server.wait_until_ready(layout).inspect_err(|_| {
            // Not ready in time, but perhaps still there: it must not stay behind without an owner.
            server.signal(Signal::SIGQUIT);
        })?;
        Ok(server)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Option<String> {
        self.child.try_wait().ok().flatten().map(|status| status.to_string())
    }

    fn wait_until_ready(&mut self, layout: &Layout) -> Result<(), EmbeddedError> {
        let pid = i32::try_from(self.child.id()).unwrap_or(i32::MAX);
        let outcome = poll(READY_SECONDS_MAX, || {
            if let Some(status) = self.ended() {
                return Some(Err(status));
            }
            // The pid is compared because the file may still be the one of a killed server.
            let ready = Postmaster::read(&layout.data).is_some_and(|found| found.ready && found.pid == pid);
            ready.then_some(Ok(()))
        });
        let why = match outcome {
            Some(Ok(())) => return Ok(()),
            Some(Err(status)) => status,
            None => format!("not within {READY_SECONDS_MAX} seconds"),
        };
        Err(EmbeddedError::NotReady { why, log: log_tail(&layout.log) })
    }

    /// Rolls back what is open, checkpoints and ends; without the checkpoint if that takes too long.
    pub(super) fn stop(&mut self) -> Result<(), EmbeddedError> {
        if self.ended().is_some() {
            return Ok(());
        }
        for signal in [Signal::SIGINT, Signal::SIGQUIT] {
            self.signal(signal);
            if poll(STOP_SECONDS_MAX, || self.child.try_wait().ok().flatten()).is_some() {
                return Ok(());
            }
        }
        Err(EmbeddedError::NotStopped { pid: self.child.id(), seconds: 2 * STOP_SECONDS_MAX })
    }

    fn signal(&self, signal: Signal) {
        // The child is ours and not reaped yet, so the pid cannot be anybody else's; an error means that it has ended.
        if let Ok(pid) = i32::try_from(self.child.id()) {
            let _ended = kill(Pid::from_raw(pid), signal);
        }
    }
}

fn apply_settings(command: &mut Command, options: &Options) {
    command.args(["-c", "listen_addresses=", "-c", "unix_socket_permissions=0700"]);
    if options.durability == Durability::Throwaway {
        for setting in THROWAWAY {
            command.args(["-c", setting]);
        }
        command.args(["-c", "max_wal_senders=0"]);
    }
    for (name, value) in &options.settings {
        command.arg("-c").arg(format!("{name}={value}"));
    }
}

fn open_log(path: &Path) -> Result<File, EmbeddedError> {
    if fs::metadata(path).is_ok_and(|log| log.len() > LOG_BYTES_MAX) {
        fs::rename(path, path.with_extension("log.1")).map_err(EmbeddedError::io("set the server's log aside"))?;
    }
    let open = OpenOptions::new().append(true).create(true).open(path);
    open.map_err(EmbeddedError::io(format!("open {}", path.display())))
}

fn log_tail(path: &Path) -> String {
    fs::read(path).map_or_else(|_| "none".into(), |log| spawn::tail(&String::from_utf8_lossy(&log), 600))
}
