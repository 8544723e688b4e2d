//! The devices of a simulated node: what a driver would list, laid out from counts.

use scheduler::world::class::{ClassId, DeviceClass};
use uuid::Uuid;

/// A device that is added to a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDevice {
    /// The class it is traded as.
    pub class: ClassId,
    /// What its driver calls it, for good.
    pub uuid: String,
    /// Its place in the node, counted from 0.
    pub slot: i32,
    /// The GPU that it is a slice of.
    pub parent: Option<String>,
    /// Where on that GPU the slice begins.
    pub mig_start: Option<i32>,
}

/// Lays out devices by class and count. Slices share GPUs, as many on each as its profile allows.
pub fn lay_out(groups: &[(DeviceClass, i32)], fresh: &mut dyn FnMut() -> Uuid) -> Vec<NewDevice> {
    let mut devices = Vec::new();
    let mut slot = 0;
    for (class, count) in groups {
        let starts = class.mig_profile.as_deref().map(slice_starts);
        let mut parent = String::new();
        for index in 0..*count {
            let device = match starts {
                None => NewDevice {
                    class: class.id.clone(),
                    uuid: format!("GPU-{}", fresh()),
                    slot,
                    parent: None,
                    mig_start: None,
                },
                Some(starts) => {
                    let place = usize::try_from(index).unwrap_or(0) % starts.len();
                    if place == 0 {
                        parent = format!("GPU-{}", fresh());
                    }
                    let uuid = format!("MIG-{}", fresh());
                    let (parent, mig_start) = (Some(parent.clone()), Some(starts[place]));
                    NewDevice { class: class.id.clone(), uuid, slot, parent, mig_start }
                }
            };
            devices.push(device);
            slot += 1;
        }
    }
    devices
}

/// Where the slices of a profile begin on a GPU of seven compute slices.
fn slice_starts(profile: &str) -> &'static [i32] {
    match profile.split('g').next() {
        Some("1") => &[0, 1, 2, 3, 4, 5, 6],
        Some("2") => &[0, 2, 4],
        Some("3") => &[0, 4],
        _ => &[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(id: &str, profile: Option<&str>) -> DeviceClass {
        let id = id.parse().unwrap();
        DeviceClass {
            id,
            vendor: "nvidia".into(),
            model: "A100".into(),
            memory_mib: 1,
            mig_profile: profile.map(Into::into),
        }
    }

    fn laid_out(groups: &[(DeviceClass, i32)]) -> Vec<NewDevice> {
        let mut next = 0;
        lay_out(groups, &mut || {
            next += 1;
            Uuid::from_u128(next)
        })
    }

    #[test]
    fn a_node_with_two_models_numbers_its_slots_through() {
        let devices = laid_out(&[(class("a100-80gb", None), 2), (class("t4-16gb", None), 1)]);
        let slots: Vec<_> = devices.iter().map(|device| (device.slot, device.class.as_str())).collect();
        assert_eq!(slots, [(0, "a100-80gb"), (1, "a100-80gb"), (2, "t4-16gb")]);
    }

    #[test]
    fn seven_small_slices_or_two_large_ones_share_a_gpu() {
        for (profile, per_gpu) in [("1g.10gb", 7), ("2g.20gb", 3), ("3g.40gb", 2), ("7g.80gb", 1)] {
            let devices = laid_out(&[(class("a100-80gb.x", Some(profile)), per_gpu * 2)]);
            let first = devices[0].parent.clone();
            let together = devices.iter().filter(|device| device.parent == first).count();
            assert_eq!(together, usize::try_from(per_gpu).unwrap(), "{profile}");
            let starts: std::collections::BTreeSet<_> =
                devices.iter().map(|device| (device.parent.clone(), device.mig_start)).collect();
            assert_eq!(starts.len(), devices.len(), "two slices of {profile} in one place");
        }
    }
}
