//! What an agent finds in its node, and which class a device is traded as. A model that the market does not know gets a
//! class of its own, named after what its driver says: it is listed, but never taken for something better known.

use scheduler::world::class::{ClassId, DeviceClass};

/// Most devices that a node reports.
const DEVICES_MAX: usize = 1024;
/// The vendor of classes that no operator has looked at.
pub const UNKNOWN_VENDOR: &str = "unknown";
/// Least part of the nominal memory that a driver reports as usable, in hundredths: error correction takes some.
const USABLE_PERCENT: i64 = 90;

/// A device as its driver describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundDevice {
    /// What its driver calls it, for good.
    pub uuid: String,
    /// Its place in the node, counted from 0.
    pub slot: i32,
    /// Its model, in the driver's words.
    pub model: String,
    /// Usable memory.
    pub memory_mib: i64,
}

/// What cannot be true of a node's devices.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoveryError {
    /// None, or more than a node has.
    #[error("a node has 1 to 1024 devices")]
    Count,
    /// A device twice, or two devices in one place.
    #[error("device {0} is reported twice, or shares its slot with another")]
    Repeated(String),
    /// A device without a proper name, place or size.
    #[error(
        "device {0}: a uuid has 1 to 128 visible characters, a model 1 to 64 printable ones with a letter or digit \
         among them, a slot is not negative, and memory is 1 MiB to 16 TiB"
    )]
    Malformed(String),
}

/// Checks what an agent says before anything is made of it.
pub fn check_found(found: &[FoundDevice]) -> Result<(), DiscoveryError> {
    if found.is_empty() || found.len() > DEVICES_MAX {
        return Err(DiscoveryError::Count);
    }
    for (index, device) in found.iter().enumerate() {
        let named = (1..=128).contains(&device.uuid.len()) && device.uuid.bytes().all(|byte| byte.is_ascii_graphic());
        let model = (1..=64).contains(&device.model.len())
            && device.model.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
            && device.model.bytes().any(|byte| byte.is_ascii_alphanumeric());
        if !named || !model || device.slot < 0 || !(1..=1 << 24).contains(&device.memory_mib) {
            let shown = device.uuid.chars().filter(|c| !c.is_control()).take(128).collect();
            return Err(DiscoveryError::Malformed(shown));
        }
        if found[..index].iter().any(|earlier| earlier.uuid == device.uuid || earlier.slot == device.slot) {
            return Err(DiscoveryError::Repeated(device.uuid.clone()));
        }
    }
    Ok(())
}

/// The class that a device is traded as: a known one if model, slice and memory all fit exactly one, else its own.
#[must_use]
pub fn class_of(device: &FoundDevice, known: &[DeviceClass]) -> Option<DeviceClass> {
    let (model, profile) = essence(&device.model);
    let fits = |class: &&DeviceClass| {
        let usable = class.memory_mib.saturating_mul(USABLE_PERCENT) / 100;
        class.vendor != UNKNOWN_VENDOR
            && folded(&class.model) == model
            && class.mig_profile == profile
            && (usable..=class.memory_mib).contains(&device.memory_mib)
    };
    let mut fitting = known.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(class), None) => Some(class.clone()),
        _ => own_class(device),
    }
}

/// A class that says what the driver says, and nothing more.
fn own_class(device: &FoundDevice) -> Option<DeviceClass> {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let model: String = device.model.chars().map(word).collect();
    let model: String = model.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    // A key has 63 characters at most; the memory must stay readable at its end.
    let model: String = model.chars().take(40).collect();
    let id: ClassId = format!("unknown-{}-{}mib", model.trim_end_matches('-'), device.memory_mib).parse().ok()?;
    Some(DeviceClass {
        id,
        vendor: UNKNOWN_VENDOR.to_owned(),
        model: device.model.clone(),
        memory_mib: device.memory_mib,
        mig_profile: None,
    })
}

/// Words that drivers put around the model's name and that make no other product of it.
const AROUND: [&str; 10] = ["nvidia", "tesla", "geforce", "amd", "instinct", "graphics", "pcie", "sxm", "mig", "hbm"];

/// The model without the words around it, and the profile of a slice.
fn essence(name: &str) -> (String, Option<String>) {
    let (mut model, mut profile) = (String::new(), None);
    for word in name.split([' ', '-', '/', '_']).map(str::to_ascii_lowercase) {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let memory = word.strip_suffix("gb").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        if word.contains("g.") && word.ends_with("gb") {
            profile = Some(word);
        } else if !memory && !AROUND.contains(&letters) {
            model.push_str(&word);
        }
    }
    (model, profile)
}

fn folded(model: &str) -> String {
    model.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<DeviceClass> {
        let row = |id: &str, model: &str, gib: i64, profile: Option<&str>| DeviceClass {
            id: id.parse().unwrap(),
            vendor: "nvidia".into(),
            model: model.into(),
            memory_mib: gib * 1024,
            mig_profile: profile.map(Into::into),
        };
        vec![
            row("t4-16gb", "T4", 16, None),
            row("a10-24gb", "A10", 24, None),
            row("a100-40gb", "A100", 40, None),
            row("a100-80gb", "A100", 80, None),
            row("a100-80gb.1g.10gb", "A100", 10, Some("1g.10gb")),
            row("v100-16gb", "V100", 16, None),
            row("v100-32gb", "V100", 32, None),
            row("h100-80gb", "H100", 80, None),
            row("rtx4090-24gb", "RTX4090", 24, None),
            row("l40s-48gb", "L40S", 48, None),
        ]
    }

    fn device(model: &str, memory_mib: i64) -> FoundDevice {
        FoundDevice { uuid: "GPU-1".into(), slot: 0, model: model.into(), memory_mib }
    }

    #[test]
    fn the_words_of_drivers_are_read_as_the_classes_they_mean() {
        for (model, memory_mib, class) in [
            ("NVIDIA A100-SXM4-80GB", 81_251, "a100-80gb"),
            ("NVIDIA A100-PCIE-40GB", 40_536, "a100-40gb"),
            ("NVIDIA A100-SXM4-80GB MIG 1g.10gb", 9_728, "a100-80gb.1g.10gb"),
            ("Tesla T4", 15_360, "t4-16gb"),
            ("Tesla V100-SXM2-16GB", 16_160, "v100-16gb"),
            ("Tesla V100-SXM2-32GB", 32_510, "v100-32gb"),
            ("NVIDIA H100 80GB HBM3", 81_559, "h100-80gb"),
            ("NVIDIA GeForce RTX 4090", 24_564, "rtx4090-24gb"),
            ("NVIDIA L40S", 46_068, "l40s-48gb"),
            ("NVIDIA A10", 23_028, "a10-24gb"),
        ] {
            assert_eq!(class_of(&device(model, memory_mib), &known()).unwrap().id.as_str(), class, "{model}");
        }
    }

    #[test]
    fn what_is_not_known_is_never_taken_for_something_known() {
        for (model, memory_mib, class) in [
            ("NVIDIA GeForce RTX 4090 D", 24_564, "unknown-nvidia-geforce-rtx-4090-d-24564mib"),
            ("NVIDIA H100 NVL", 95_830, "unknown-nvidia-h100-nvl-95830mib"),
            ("NVIDIA A100X", 81_251, "unknown-nvidia-a100x-81251mib"),
            ("NVIDIA A10G", 23_028, "unknown-nvidia-a10g-23028mib"),
            ("Tesla T4", 8_192, "unknown-tesla-t4-8192mib"),
            ("NVIDIA A100-SXM4-80GB MIG 4g.40gb", 40_192, "unknown-nvidia-a100-sxm4-80gb-mig-4g-40gb-40192mib"),
        ] {
            let found = class_of(&device(model, memory_mib), &known()).unwrap();
            assert_eq!((found.id.as_str(), found.vendor.as_str()), (class, UNKNOWN_VENDOR), "{model}");
        }
    }

    #[test]
    fn reports_that_cannot_be_true_are_refused() {
        let good = device("T4", 15_360);
        assert_eq!(check_found(&[]), Err(DiscoveryError::Count));
        assert!(check_found(std::slice::from_ref(&good)).is_ok());
        let twice = FoundDevice { slot: 1, ..good.clone() };
        assert_eq!(check_found(&[good.clone(), twice]), Err(DiscoveryError::Repeated("GPU-1".into())));
        let same_place = FoundDevice { uuid: "GPU-2".into(), ..good.clone() };
        assert_eq!(check_found(&[good.clone(), same_place]), Err(DiscoveryError::Repeated("GPU-2".into())));
        for bad in [
            FoundDevice { uuid: String::new(), ..good.clone() },
            FoundDevice { uuid: "GPU 1".into(), ..good.clone() },
            FoundDevice { uuid: "x".repeat(129), ..good.clone() },
            FoundDevice { model: "Tesla\nT4".into(), ..good.clone() },
            FoundDevice { model: "---".into(), ..good.clone() },
            FoundDevice { model: "y".repeat(65), ..good.clone() },
            FoundDevice { slot: -1, ..good.clone() },
            FoundDevice { memory_mib: 0, ..good.clone() },
            FoundDevice { memory_mib: i64::MAX, ..good },
        ] {
            assert!(matches!(check_found(std::slice::from_ref(&bad)), Err(DiscoveryError::Malformed(_))), "{bad:?}");
        }
    }
}
