//! One device: a GPU, or a MIG slice of one.

use super::class::ClassId;
use super::ids::DeviceId;
use serde::{Deserialize, Serialize};

/// A device of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Its identity, which survives rescans.
    pub id: DeviceId,
    /// The class it is traded as.
    pub class: ClassId,
    /// Its place in the node, counted from 0.
    pub slot: i32,
    /// Whether it can be given out.
    pub state: DeviceState,
}

/// What a device is doing. Who holds a leased device is in the snapshot's holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceState {
    /// Nobody has it.
    Free,
    /// A rental holds it.
    Leased,
    /// Its GPU is being cut into other slices.
    Repartitioning,
    /// It leaves the market once its rental ends.
    Draining,
    /// It is broken.
    Faulty,
}

impl DeviceState {
    /// Whether the market may give the device to somebody, now or when its holder leaves.
    #[must_use]
    pub fn is_tradable(self) -> bool {
        matches!(self, Self::Free | Self::Leased)
    }
}
