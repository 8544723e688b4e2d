//! Starting a process for a rental: in a session of its own, as its own user, within its limits, with an environment
//! that holds nothing of the agent's.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::setsid;

use super::account::Account;
use super::limits::Limits;
use crate::protocol::Variable;

/// Everything that a process of a rental is started with.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The user.
    pub account: Account,
    /// Where it starts, and its home.
    pub home: PathBuf,
    /// Its whole environment.
    pub environment: Vec<Variable>,
    /// Its bounds.
    pub limits: Limits,
}

/// What a process reads from and writes to.
#[derive(Debug)]
pub enum Terminal<'a> {
    /// Nothing to read; what it prints goes to this file.
    Log(std::fs::File),
    /// A terminal, by its path.
    Tty(&'a Path),
}

impl Launch {
    /// Starts `program`. It leads a session of its own; a terminal, if it has one, controls that session.
    pub fn start(&self, program: &Path, arguments: &[&str], terminal: Terminal<'_>) -> io::Result<Child> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.home).env_clear();
        command.envs(self.environment.iter().map(|variable| (&variable.name, &variable.value)));
        if nix::unistd::Uid::effective().is_root() {
            command.uid(self.account.uid).gid(self.account.gid);
        }
        let tty = match terminal {
            Terminal::Log(log) => {
                command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
                None
            }
            Terminal::Tty(path) => {
                let tty = std::fs::OpenOptions::new().read(true).write(true).open(path)?;
                command.stdin(tty.try_clone()?).stdout(tty.try_clone()?).stderr(tty);
                Some(path.to_owned())
            }
        };
        in_session(&mut command, self.limits, tty)?;
        command.spawn()
    }
}

/// Prepares the child: a session, its limits and, if there is one, its controlling terminal.
#[expect(unsafe_code, reason = "std runs a closure between fork and exec only through an unsafe function")]
fn in_session(command: &mut Command, limits: Limits, tty: Option<PathBuf>) -> io::Result<()> {
    let limits = limits.ready()?;
    let prepare = move || {
        setsid()?;
        if let Some(path) = &tty {
            // The first terminal that a session's leader opens controls the session.
            drop(open(path.as_path(), OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty())?);
        }
        limits.apply()
    };
    // SAFETY: the closure makes system calls only. It allocates nothing and takes no lock: the limits and the path were
    // made before the fork. (nix copies a path that is shorter than a kilobyte to the stack.)
    unsafe { command.pre_exec(prepare) };
    Ok(())
}
