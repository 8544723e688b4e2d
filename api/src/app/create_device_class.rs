//! An operator names a kind of device that can be traded from now on.

use scheduler::world::class::{ClassId, DeviceClass};
use scheduler::world::request::GpuRequest;

use super::Ctx;
use crate::node::UNKNOWN_VENDOR;
use crate::store::{StoreError, device_classes};

/// Most memory of a device: 16 TiB.
const MEMORY_MIB_MAX: i64 = 1 << 24;

/// Why a class cannot be.
#[derive(Debug, thiserror::Error)]
pub enum DeviceClassError {
    /// There is a class of that key.
    #[error("there is a device class {0}")]
    Exists(ClassId),
    /// Nobody could ask for the vendor.
    #[error(
        "a vendor is 1 to 63 of a-z, 0-9 and -, and not `unknown`, which stands for what no operator has looked at"
    )]
    Vendor,
    /// Nobody could ask for the model.
    #[error("a model begins with a letter and has 1 to 64 letters, digits, spaces, points, dashes and underscores")]
    Model,
    /// No device has such memory.
    #[error("memory_mib is 1 to 16777216")]
    Memory,
    /// Nobody could ask for the slice.
    #[error("a MIG profile is written as 1g.10gb")]
    Profile,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks that the class can be asked for in a GPU request.
pub fn check(class: &DeviceClass) -> Result<(), DeviceClassError> {
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let named = (1..=63).contains(&class.vendor.len()) && class.vendor.bytes().all(word);
    if !named || class.vendor == UNKNOWN_VENDOR {
        return Err(DeviceClassError::Vendor);
    }
    let asked = |text: &str| text.parse::<GpuRequest>().ok();
    let model = asked(&class.model).filter(|_| class.model.len() <= 64);
    if model.is_none_or(|request| request.models != [class.model.as_str()]) {
        return Err(DeviceClassError::Model);
    }
    if !(1..=MEMORY_MIB_MAX).contains(&class.memory_mib) {
        return Err(DeviceClassError::Memory);
    }
    if let Some(profile) = &class.mig_profile
        && asked(profile).is_none_or(|request| request.mig_profile.as_deref() != Some(profile.as_str()))
    {
        return Err(DeviceClassError::Profile);
    }
    Ok(())
}

/// Adds the class.
pub async fn create_device_class(ctx: &mut Ctx<'_>, class: DeviceClass) -> Result<DeviceClass, DeviceClassError> {
    check(&class)?;
    let added = device_classes::add(&mut ctx.tx, std::slice::from_ref(&class), ctx.now).await?;
    if added.is_empty() { Err(DeviceClassError::Exists(class.id)) } else { Ok(class) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(vendor: &str, model: &str, memory_mib: i64, profile: Option<&str>) -> DeviceClass {
        DeviceClass {
            id: "x".parse().unwrap(),
            vendor: vendor.to_owned(),
            model: model.to_owned(),
            memory_mib,
            mig_profile: profile.map(str::to_owned),
        }
    }

    #[test]
    fn a_class_is_one_that_a_request_can_name() {
        assert!(check(&class("nvidia", "RTX 6000", 49_152, None)).is_ok());
        assert!(check(&class("nvidia", "H200", 18_432, Some("1g.18gb"))).is_ok());
        for (bad, why) in [
            (class("", "H200", 1, None), "vendor"),
            (class("NVIDIA", "H200", 1, None), "vendor"),
            (class("unknown", "H200", 1, None), "vendor"),
            (class("nvidia", "", 1, None), "model"),
            (class("nvidia", "4090", 1, None), "model"),
            (class("nvidia", "nvidia", 1, None), "model"),
            (class("nvidia", "A,B", 1, None), "model"),
            (class("nvidia", "A:B", 1, None), "model"),
            (class("nvidia", " A", 1, None), "model"),
            (class("nvidia", "1g.10gb", 1, None), "model"),
            (class("nvidia", "H200", 0, None), "memory"),
            (class("nvidia", "H200", i64::MAX, None), "memory"),
            (class("nvidia", "H200", 1, Some("half")), "MIG"),
            (class("nvidia", "H200", 1, Some("1G.10GB")), "MIG"),
        ] {
            let error = check(&bad).unwrap_err().to_string();
            assert!(error.contains(why), "{bad:?}: {error}");
        }
    }
}
