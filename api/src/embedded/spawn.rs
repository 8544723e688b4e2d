//! How PostgreSQL's programs are run: bare environment, dropped privileges, own process group, tied to our life.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{getpid, getppid};

use super::EmbeddedError;
use super::account::Account;

/// How much of a failed program's output goes into the error.
const OUTPUT_CHARS_MAX: usize = 600;

/// A program in a bare environment: no `PG*` variable and no locale of the caller's changes what it does.
pub(super) fn plain(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("LC_ALL", "C").env("TZ", "UTC").env("PATH", "/usr/bin:/bin");
    // The account we switch to may not be able to enter our working folder.
    command.current_dir("/").stdin(Stdio::null());
    command
}

/// The same as the server's account.
pub(super) fn as_account(program: &Path, account: &Account) -> Command {
    let mut command = plain(program);
    if account.switch {
        // Dropping supplementary groups along with the uid is what std does when it runs as root.
        command.uid(account.uid).gid(account.gid);
    }
    // Ctrl-C in the terminal is for souk, which then stops its server in order.
    command.process_group(0);
    command
}

/// Has the kernel send SIGINT (PostgreSQL: roll back, checkpoint, exit) when the calling *thread* ends, even by SIGKILL.
pub(super) fn tie_to_this_thread(command: &mut Command) {
    let parent = getpid();
    let before_exec = move || {
        set_pdeathsig(Signal::SIGINT)?;
        // The parent may have died before the line above; then no signal will ever come.
        if getppid() == parent { Ok(()) } else { Err(std::io::ErrorKind::Interrupted.into()) }
    };
    #[expect(
        unsafe_code,
        reason = "there is no safe way to run prctl between fork and exec; both calls are async-signal-safe"
    )]
    // SAFETY: the closure allocates nothing and calls only prctl and getppid, which are async-signal-safe.
    unsafe {
        command.pre_exec(before_exec);
    }
}

/// Runs a program to its end and returns what it printed; a failure carries the end of its output.
pub(super) fn output(name: &'static str, command: &mut Command) -> Result<String, EmbeddedError> {
    let done = command.output().map_err(EmbeddedError::io(format!("run `{name}`")))?;
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() {
        return Ok(printed);
    }
    // What went wrong comes last, where the end is kept.
    let said = format!("{printed}{}", String::from_utf8_lossy(&done.stderr));
    Err(EmbeddedError::Program {
        program: name,
        status: done.status.to_string(),
        output: tail(&said, OUTPUT_CHARS_MAX),
    })
}

/// The last `chars` characters, on one line.
pub(super) fn tail(text: &str, chars: usize) -> String {
    let line = text.trim().replace('\n', " | ");
    let skip = line.chars().count().saturating_sub(chars);
    line.chars().skip(skip).collect()
}
