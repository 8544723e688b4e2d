//! The standard device classes: what can be bought by name from the first minute.
//!
//! Memory is nominal, from the makers' data sheets; of A100 slices it is what NVIDIA's MIG user guide lists. Nothing
//! here says how fast a class is.

use scheduler::world::class::DeviceClass;

use crate::store::StoreError;

/// The class of a machine without a GPU: one device, the machine itself.
pub const CPU_NODE: &str = "cpu-node";

/// Key, vendor, model, memory in MiB, MIG profile.
type Row = (&'static str, &'static str, &'static str, i64, Option<&'static str>);

const GIB: i64 = 1024;

const STANDARD: &[Row] = &[
    ("k80-12gb", "nvidia", "K80", 12 * GIB, None),
    ("p100-16gb", "nvidia", "P100", 16 * GIB, None),
    ("v100-16gb", "nvidia", "V100", 16 * GIB, None),
    ("v100-32gb", "nvidia", "V100", 32 * GIB, None),
    ("t4-16gb", "nvidia", "T4", 16 * GIB, None),
    ("l4-24gb", "nvidia", "L4", 24 * GIB, None),
    ("a10-24gb", "nvidia", "A10", 24 * GIB, None),
    ("rtx3090-24gb", "nvidia", "RTX3090", 24 * GIB, None),
    ("rtx4090-24gb", "nvidia", "RTX4090", 24 * GIB, None),
    ("l40s-48gb", "nvidia", "L40S", 48 * GIB, None),
    ("a100-40gb", "nvidia", "A100", 40 * GIB, None),
    ("a100-40gb.1g.5gb", "nvidia", "A100", 4864, Some("1g.5gb")),
    ("a100-40gb.2g.10gb", "nvidia", "A100", 9984, Some("2g.10gb")),
    ("a100-40gb.3g.20gb", "nvidia", "A100", 20096, Some("3g.20gb")),
    ("a100-80gb", "nvidia", "A100", 80 * GIB, None),
    ("a100-80gb.1g.10gb", "nvidia", "A100", 9728, Some("1g.10gb")),
    ("a100-80gb.2g.20gb", "nvidia", "A100", 19968, Some("2g.20gb")),
    ("a100-80gb.3g.40gb", "nvidia", "A100", 40192, Some("3g.40gb")),
    ("h100-80gb", "nvidia", "H100", 80 * GIB, None),
    ("h100-80gb.1g.10gb", "nvidia", "H100", 10 * GIB, Some("1g.10gb")),
    ("h100-80gb.2g.20gb", "nvidia", "H100", 20 * GIB, Some("2g.20gb")),
    ("h100-80gb.3g.40gb", "nvidia", "H100", 40 * GIB, Some("3g.40gb")),
    ("h200-141gb", "nvidia", "H200", 141 * GIB, None),
    ("b200-192gb", "nvidia", "B200", 192 * GIB, None),
    ("mi300x-192gb", "amd", "MI300X", 192 * GIB, None),
    // No GPU and no GPU memory; the column wants more than nothing.
    (CPU_NODE, "cpu", "CPU", 1, None),
];

/// The standard classes.
pub(super) fn standard() -> Result<Vec<DeviceClass>, StoreError> {
    let class = |&(id, vendor, model, memory_mib, mig_profile): &Row| {
        Ok(DeviceClass {
            id: id.parse().map_err(|error| StoreError::corrupt("device class", format!("{id}: {error}")))?,
            vendor: vendor.to_owned(),
            model: model.to_owned(),
            memory_mib,
            mig_profile: mig_profile.map(str::to_owned),
        })
    };
    STANDARD.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::model::Model;

    #[test]
    fn the_demo_offers_only_standard_classes_with_the_same_figures() {
        let standard = standard().unwrap();
        for device in Model::built_in().unwrap().devices {
            let class = standard.iter().find(|class| class.id.as_str() == device.class).expect("a standard class");
            assert_eq!(class.vendor, device.vendor);
            assert_eq!(class.model, device.model);
            assert_eq!(class.memory_mib, i64::try_from(device.memory_mib).unwrap());
            assert_eq!(class.mig_profile, device.mig_profile);
        }
    }

    #[test]
    fn the_key_of_a_slice_is_the_key_of_its_gpu_and_its_profile() {
        let standard = standard().unwrap();
        for class in standard.iter().filter(|class| class.mig_profile.is_some()) {
            let (gpu, profile) = class.id.as_str().split_once('.').unwrap();
            assert_eq!(class.mig_profile.as_deref(), Some(profile));
            assert!(standard.iter().any(|whole| whole.id.as_str() == gpu && whole.memory_mib > class.memory_mib));
        }
    }

    #[test]
    fn a_machine_without_a_gpu_is_rented_only_by_name() {
        let class = standard().unwrap().into_iter().find(|class| class.id.as_str() == CPU_NODE).unwrap();
        let matches = |text: &str| text.parse::<scheduler::world::request::GpuRequest>().unwrap().matches(&class);
        assert!(matches("CPU") && matches("cpu:1"));
        assert!(!matches("1") && !matches("1..8") && !matches("nvidia") && !matches("..24GB"));
    }
}
