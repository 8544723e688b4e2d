//! How a device class looks on the wire.

use scheduler::world::class::DeviceClass;
use serde::Serialize;
use utoipa::ToSchema;

/// A kind of device that is traded: a GPU model with its memory, or a slice of one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeviceClass)]
pub struct DeviceClassView {
    /// Its key.
    #[schema(example = "a100-80gb.1g.10gb")]
    pub id: String,
    /// Who makes it.
    #[schema(example = "nvidia")]
    pub vendor: String,
    /// The model.
    #[schema(example = "A100")]
    pub model: String,
    /// Memory of one device.
    #[schema(example = 9728)]
    pub memory_mib: i64,
    /// Set for a slice.
    #[schema(example = "1g.10gb")]
    pub mig_profile: Option<String>,
}

impl From<DeviceClass> for DeviceClassView {
    fn from(class: DeviceClass) -> Self {
        Self {
            id: class.id.to_string(),
            vendor: class.vendor,
            model: class.model,
            memory_mib: class.memory_mib,
            mig_profile: class.mig_profile,
        }
    }
}
