//! Nodes, pure: their states, what hardware they say they have, and how versions compare. No SQL and no clock.

mod hardware;
mod inventory;
mod region;
mod state;
mod version;

pub use hardware::{DeviceGroup, Hardware, HardwareError, Specification};
pub use inventory::{NewDevice, lay_out};
pub use region::Region;
pub use state::{Adapter, NodeState, NodeStateError, UnknownName};
pub use version::{Version, VersionError};
