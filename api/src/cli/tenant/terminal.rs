//! The terminal in other modes than the usual one, and always back again.

use std::io;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// The terminal as it was; dropping this brings it back.
pub(super) struct Restore(Termios);

impl Drop for Restore {
    fn drop(&mut self) {
        let _back = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

fn changed(change: impl FnOnce(&mut Termios)) -> io::Result<Restore> {
    let before = tcgetattr(io::stdin())?;
    let mut now = before.clone();
    change(&mut now);
    tcsetattr(io::stdin(), OptionalActions::Now, &now)?;
    Ok(Restore(before))
}

/// Runs `reading` while what is typed is not shown.
pub(super) fn without_echo<T>(reading: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let _restore = changed(|mode| mode.local_modes.remove(LocalModes::ECHO))?;
    reading()
}

/// Passes every key on, Ctrl-C too.
pub(super) fn raw() -> io::Result<Restore> {
    changed(Termios::make_raw)
}

/// Columns and rows.
pub(super) fn size() -> Option<(u16, u16)> {
    let size = tcgetwinsize(io::stdin()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}
