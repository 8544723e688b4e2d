//! What one rental's processes may take from the machine. Processor time is not limited: that is what was rented.

use std::io;

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

/// Bounds on a rental's processes. `None` leaves what the agent itself has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Address space of one process, in bytes. GPU drivers map far more than they use, so it is open by default.
    pub address_space_bytes: Option<u64>,
    /// Processes and threads of the user that the rental runs as.
    pub processes: Option<u64>,
    /// Open files of one process.
    pub open_files: Option<u64>,
    /// Size of one file, in bytes.
    pub file_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { address_space_bytes: None, processes: Some(4096), open_files: Some(65_536), file_bytes: Some(64 << 30) }
    }
}

/// Limits that can be set: computed before a process is forked, so that the child only makes system calls.
#[derive(Debug, Clone)]
pub struct Ready(Vec<(Resource, rlim_t)>);

impl Limits {
    /// Cuts each bound to what the agent itself may use, since none can be raised.
    pub fn ready(&self) -> io::Result<Ready> {
        let wanted = [
            (Resource::RLIMIT_AS, self.address_space_bytes),
            (Resource::RLIMIT_NPROC, self.processes),
            (Resource::RLIMIT_NOFILE, self.open_files),
            (Resource::RLIMIT_FSIZE, self.file_bytes),
            // What a crashed process held in memory is nobody's business.
            (Resource::RLIMIT_CORE, Some(0)),
        ];
        let set = |(resource, bound): (Resource, Option<u64>)| {
            let bound = bound?;
            Some(getrlimit(resource).map(|(_, most)| (resource, bound.min(most))))
        };
        Ok(Ready(wanted.into_iter().filter_map(set).collect::<Result<_, _>>()?))
    }
}

impl Ready {
    /// Sets them for this process and all that it starts. Only system calls: it runs between fork and exec.
    pub(super) fn apply(&self) -> io::Result<()> {
        for (resource, bound) in &self.0 {
            setrlimit(*resource, *bound, *bound)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_is_above_what_the_agent_has() {
        let everything = Some(u64::MAX);
        let limits = Limits {
            address_space_bytes: everything,
            processes: everything,
            open_files: everything,
            file_bytes: everything,
        };
        for (resource, bound) in limits.ready().unwrap().0 {
            assert!(bound <= getrlimit(resource).unwrap().1, "{resource:?}");
        }
    }
}
