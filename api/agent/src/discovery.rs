//! What this machine has. Each way of finding devices is one [`Discovery`].

use std::fs;
use std::num::NonZero;

use crate::protocol::{Device, Hardware};

/// A way of finding devices.
pub trait Discovery: Send + Sync {
    /// The devices that it finds. The same device has the same uuid after every restart.
    fn devices(&self) -> Vec<Device>;
}

/// The machine itself, as one device without a GPU: what makes a machine without GPUs rentable.
#[derive(Debug, Clone, Copy)]
pub struct WholeMachine;

/// The model under which the market trades whole machines.
pub const MACHINE_MODEL: &str = "CPU";

impl Discovery for WholeMachine {
    fn devices(&self) -> Vec<Device> {
        let id = machine_id().unwrap_or_else(|| "unnamed".to_owned());
        // It has no memory of its own kind; the smallest amount stands for none.
        vec![Device { uuid: format!("CPU-{id}"), slot: 0, model: MACHINE_MODEL.to_owned(), memory_mib: 1 }]
    }
}

/// Everything that the given ways of discovery find, and the machine around it.
#[must_use]
pub fn hardware(ways: &[&dyn Discovery]) -> Hardware {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Hardware {
        cpu_milli: i64::try_from(cores).unwrap_or(1).saturating_mul(1000),
        memory_mib: memory_mib().unwrap_or(1),
        driver: None,
        cuda_max: None,
        devices: ways.iter().flat_map(|way| way.devices()).collect(),
    }
}

/// What this machine is called.
#[must_use]
pub fn machine_name() -> String {
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "node".to_owned())
}

fn machine_id() -> Option<String> {
    let text =
        fs::read_to_string("/etc/machine-id").or_else(|_| fs::read_to_string("/var/lib/dbus/machine-id")).ok()?;
    let id = text.trim();
    (!id.is_empty() && id.len() <= 64).then(|| id.to_owned())
}

fn memory_mib() -> Option<i64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: i64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kib / 1024).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_gpus_is_one_device_with_a_lasting_name() {
        let found = hardware(&[&WholeMachine]);
        assert_eq!(found.devices.len(), 1);
        assert_eq!(found, hardware(&[&WholeMachine]));
        assert!(found.cpu_milli >= 1000 && found.memory_mib > 1);
    }
}
