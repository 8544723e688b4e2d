//! What a node says it has, checked.

use scheduler::world::class::ClassId;

use super::version::{Version, VersionError};

/// Most devices of one node.
const DEVICES_MAX: i32 = 1024;
/// Most device classes on one node.
const GROUPS_MAX: usize = 16;
/// Most processor time, in thousandths of a core.
const CPU_MILLI_MAX: i64 = 100_000_000;
/// Most main memory: one PiB.
const MEMORY_MIB_MAX: i64 = 1 << 30;
/// Most bandwidth: ten Tbit/s.
const INET_MBPS_MAX: i32 = 10_000_000;

/// What a node has besides its devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hardware {
    /// Processor time, in thousandths of a core.
    pub cpu_milli: i64,
    /// Main memory.
    pub memory_mib: i64,
    /// Whether its GPUs are connected by NVLink.
    pub nvlink: bool,
    /// Bandwidth from the internet.
    pub inet_down_mbps: i32,
    /// Version of the GPU driver.
    pub driver: Option<Version>,
    /// The newest CUDA that the driver supports.
    pub cuda_max: Option<Version>,
}

/// What was said about a node, before it is checked.
#[derive(Debug, Clone, Default)]
pub struct Specification {
    /// Processor time, in thousandths of a core.
    pub cpu_milli: i64,
    /// Main memory.
    pub memory_mib: i64,
    /// Whether its GPUs are connected by NVLink.
    pub nvlink: bool,
    /// Bandwidth from the internet.
    pub inet_down_mbps: i32,
    /// Version of the GPU driver.
    pub driver: Option<String>,
    /// The newest CUDA that the driver supports.
    pub cuda_max: Option<String>,
}

/// Devices of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceGroup {
    /// Which class.
    pub class: ClassId,
    /// How many.
    pub count: i32,
}

/// What cannot be true of a node. The field is named as in the API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HardwareError {
    /// A figure outside of what a node can have.
    #[error("{field} is {least} to {most}")]
    OutOfRange {
        /// Which figure.
        field: &'static str,
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// Not a version.
    #[error("{source}")]
    Version {
        /// Which one.
        field: &'static str,
        /// What a version looks like.
        source: VersionError,
    },
    /// A class twice.
    #[error("{0} is listed twice; give each class one count")]
    Repeated(ClassId),
}

impl HardwareError {
    /// The offending field.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::OutOfRange { field, .. } | Self::Version { field, .. } => field,
            Self::Repeated(_) => "devices",
        }
    }
}

impl Hardware {
    /// Checks every figure.
    pub fn check(said: Specification) -> Result<Self, HardwareError> {
        within("cpu_milli", said.cpu_milli, 1, CPU_MILLI_MAX)?;
        within("memory_mib", said.memory_mib, 1, MEMORY_MIB_MAX)?;
        within("inet_down_mbps", said.inet_down_mbps.into(), 0, INET_MBPS_MAX.into())?;
        Ok(Self {
            cpu_milli: said.cpu_milli,
            memory_mib: said.memory_mib,
            nvlink: said.nvlink,
            inet_down_mbps: said.inet_down_mbps,
            driver: version("driver", said.driver.as_deref())?,
            cuda_max: version("cuda_max", said.cuda_max.as_deref())?,
        })
    }
}

impl DeviceGroup {
    /// Checks the counts, and that no class is listed twice.
    pub fn check_all(groups: &[Self]) -> Result<(), HardwareError> {
        let most = i64::try_from(GROUPS_MAX).unwrap_or(i64::MAX);
        within("devices", i64::try_from(groups.len()).unwrap_or(i64::MAX), 1, most)?;
        let mut total = 0_i64;
        for (index, group) in groups.iter().enumerate() {
            within("count", group.count.into(), 1, DEVICES_MAX.into())?;
            total += i64::from(group.count);
            if groups[..index].iter().any(|earlier| earlier.class == group.class) {
                return Err(HardwareError::Repeated(group.class.clone()));
            }
        }
        within("devices", total, 1, DEVICES_MAX.into())
    }
}

fn within(field: &'static str, value: i64, least: i64, most: i64) -> Result<(), HardwareError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(HardwareError::OutOfRange { field, least, most }) }
}

fn version(field: &'static str, text: Option<&str>) -> Result<Option<Version>, HardwareError> {
    text.map(str::parse).transpose().map_err(|source| HardwareError::Version { field, source })
}
