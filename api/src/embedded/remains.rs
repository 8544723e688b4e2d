//! Clearing what a killed server left, so that the folder can be started on again.

use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::layout::{Layout, socket_files};
use super::postmaster::{self, Postmaster};
use super::server::STOP_SECONDS_MAX;
use super::wait::poll;
use super::{EmbeddedError, liveness};

/// Makes the folder startable after any kind of end. Only the holder of the owner's lock may call this.
///
/// A server whose owner was killed is already on its way out; it is told again, waited for, and in the end pushed.
pub(super) fn clear(layout: &Layout) -> Result<(), EmbeddedError> {
    // An interrupted `initdb` may have a child at work for a moment longer.
    let _in_time = poll(STOP_SECONDS_MAX, || liveness::servers_in(&layout.data_tmp).is_empty().then_some(()));
    let remains = Postmaster::read(&layout.data);
    for signal in [Signal::SIGINT, Signal::SIGQUIT] {
        if let Some(found) = remains.as_ref().filter(|found| liveness::is_alive_in(found.pid, &layout.data)) {
            let _ended = kill(Pid::from_raw(found.pid), signal);
        }
        // Backends of a killed server notice within a moment; they still have the shared memory until then.
        if poll(STOP_SECONDS_MAX, || liveness::servers_in(&layout.data).is_empty().then_some(())).is_some() {
            return remains.map_or(Ok(()), |found| remove_notes(layout, &found));
        }
        for pid in liveness::servers_in(&layout.data) {
            let _ended = kill(Pid::from_raw(pid), Signal::SIGQUIT);
        }
    }
    Err(EmbeddedError::Lingering { dir: layout.data.clone(), pids: liveness::servers_in(&layout.data) })
}

/// What a clean stop would have removed. PostgreSQL refuses to start beside it when its pid belongs to a zombie.
fn remove_notes(layout: &Layout, found: &Postmaster) -> Result<(), EmbeddedError> {
    let sockets = found.socket_dir.as_deref().map(socket_files);
    for file in sockets.into_iter().flatten().chain([postmaster::file(&layout.data)]) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(EmbeddedError::io(format!("remove {}", file.display()))(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}
