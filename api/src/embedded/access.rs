//! Owner or guest: who runs the server of a folder when several processes start on it.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use super::layout::{Layout, socket_files};
use super::lock::{Claim, OwnerLock};
use super::postmaster::Postmaster;
use super::wait::poll;
use super::{EmbeddedError, Lifetime, liveness};

/// How long a guest waits for the owner to finish starting, or to finish dying.
const ATTACH_SECONDS_MAX: u64 = 60;

pub(super) enum Access {
    /// The folder is ours; whatever runs there is a remainder.
    Owner { lock: OwnerLock },
    /// A server of somebody else is ready.
    Guest { socket_dir: PathBuf },
}

impl Access {
    /// Asks for the lock again and again: an owner that was just killed still has it for an instant.
    pub(super) fn to(layout: &Layout) -> Result<Self, EmbeddedError> {
        let mut owner = String::new();
        let decided = poll(ATTACH_SECONDS_MAX, || match OwnerLock::claim(&layout.lock) {
            Err(error) => Some(Err(error)),
            Ok(Claim::Taken(by)) => {
                owner = by;
                ready_socket(layout).map(|socket_dir| Ok(Self::Guest { socket_dir }))
            }
            Ok(Claim::Ours { lock, survivor }) => Some(Ok(match survivor {
                Some(Lifetime::Detached) => {
                    ready_socket(layout).map_or(Self::Owner { lock }, |socket_dir| Self::Guest { socket_dir })
                }
                Some(Lifetime::WithParent) | None => Self::Owner { lock },
            })),
        });
        decided.unwrap_or_else(|| Err(EmbeddedError::InUse { dir: layout.root.clone(), owner }))
    }
}

/// The socket's folder of a server that says it is ready, is alive, and picks up.
pub(super) fn ready_socket(layout: &Layout) -> Option<PathBuf> {
    let found = Postmaster::read(&layout.data)?;
    let socket_dir = found.socket_dir.filter(|_| found.ready && liveness::is_alive_in(found.pid, &layout.data))?;
    let [socket, _] = socket_files(&socket_dir);
    UnixStream::connect(socket).is_ok().then_some(socket_dir)
}
