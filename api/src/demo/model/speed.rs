//! How fast a workload runs on a device class: measured where Gavel measured, estimated elsewhere, never claimed.

use std::collections::BTreeMap;

/// What is known about a device class.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceClass {
    /// The key, as in the API.
    pub class: String,
    /// `nvidia`, `amd`.
    pub vendor: String,
    /// The model's name.
    pub model: String,
    /// Set for a slice.
    pub mig_profile: Option<String>,
    /// Memory of the device or slice.
    pub memory_mib: u64,
    /// Dense half-precision throughput.
    pub half_tflops: f64,
    /// Memory bandwidth.
    pub bandwidth_gb_per_s: f64,
    /// Lowest and highest ask of the demo's providers, in cents per device and hour.
    pub ask_cents: (u64, u64),
}

#[cfg(test)]
impl DeviceClass {
    /// As a request is matched with it.
    pub(crate) fn as_class(&self) -> scheduler::world::DeviceClass {
        scheduler::world::DeviceClass {
            id: self.class.parse().expect("a key"),
            vendor: self.vendor.clone(),
            model: self.model.clone(),
            memory_mib: i64::try_from(self.memory_mib).expect("small"),
            mig_profile: self.mig_profile.clone(),
        }
    }
}

/// The measured table, and the ratios that extend it to newer models.
#[derive(Debug, Clone, PartialEq)]
pub struct Speeds {
    measured: BTreeMap<(String, u32), Measured>,
    /// Estimated speed of a class over a V100's.
    over_v100: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) p100: f64,
    pub(super) v100: f64,
}

impl Speeds {
    pub(super) fn new(measured: BTreeMap<(String, u32), Measured>, devices: &[DeviceClass]) -> Option<Self> {
        let v100 = devices.iter().find(|device| device.model == "V100")?;
        // Training is bound by arithmetic here and by memory there; the geometric mean of both ratios stands between.
        let ratio = |device: &DeviceClass| {
            ((device.half_tflops / v100.half_tflops) * (device.bandwidth_gb_per_s / v100.bandwidth_gb_per_s)).sqrt()
        };
        let over_v100 = devices.iter().map(|device| (device.class.clone(), ratio(device))).collect();
        Some(Self { measured, over_v100 })
    }

    /// Steps per second of the whole gang; `None` where nothing was measured for that workload and gang.
    #[must_use]
    pub fn steps_per_second(&self, workload: &str, gang: u32, class: &str) -> Option<f64> {
        let measured = self.measured.get(&(workload.to_owned(), gang))?;
        if class.starts_with("p100") {
            return Some(measured.p100);
        }
        self.over_v100.get(class).map(|ratio| measured.v100 * ratio)
    }

    /// Whether [`Self::steps_per_second`] is Gavel's figure rather than an estimate.
    #[must_use]
    pub fn is_measured(class: &str) -> bool {
        class.starts_with("p100") || class.starts_with("v100")
    }

    /// The gangs for which a workload was measured.
    pub fn gangs(&self, workload: &str) -> impl Iterator<Item = u32> {
        self.measured.keys().filter(move |(name, _)| name == workload).map(|(_, gang)| *gang)
    }
}
