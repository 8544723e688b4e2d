//! Nodes, pure: their states, what hardware they say they have, and how versions compare. No SQL and no clock.

mod discovery;
mod hardware;
mod inventory;
mod region;
mod rescan;
mod state;
mod version;

pub use discovery::{DiscoveryError, FoundDevice, UNKNOWN_VENDOR, check_found, class_of};
pub use hardware::{DeviceGroup, Hardware, HardwareError, Specification};
pub use inventory::{NewDevice, lay_out};
pub use region::Region;
pub use rescan::{DeviceChange, KnownDevice, Rescan, rescan};
pub use state::{Adapter, NodeState, NodeStateError, UnknownName};
pub use version::{Version, VersionError};
