//! What a rescan changes: identity is the device's uuid, so a device that is found again stays what it was.

use scheduler::world::class::DeviceClass;
use scheduler::world::device::DeviceState;
use scheduler::world::ids::DeviceId;

use super::discovery::{FoundDevice, class_of};
use super::inventory::NewDevice;

/// A device that the market knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownDevice {
    /// Its identity.
    pub id: DeviceId,
    /// What its driver calls it.
    pub uuid: String,
    /// Its place in the node.
    pub slot: i32,
    /// What it is doing.
    pub state: DeviceState,
    /// For guarded writes.
    pub version: i64,
}

/// A known device that is to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceChange {
    /// Which device.
    pub id: DeviceId,
    /// The version that it was loaded at.
    pub version: i64,
    /// The state that it was loaded in.
    pub from: DeviceState,
    /// The state that it gets.
    pub to: DeviceState,
    /// The place that it gets.
    pub slot: i32,
}

/// What a rescan makes of a node's devices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rescan {
    /// Devices seen for the first time.
    pub added: Vec<NewDevice>,
    /// Classes that these need and nobody knew.
    pub classes: Vec<DeviceClass>,
    /// Devices that moved, came back, or vanished while nobody had them.
    pub changed: Vec<DeviceChange>,
    /// Devices that vanished from under a rental: it is for their rentals to end.
    pub missing_leased: Vec<DeviceId>,
}

/// Compares what is known with what was found. Rescanning what was found once more changes nothing.
#[must_use]
pub fn rescan(known: &[KnownDevice], found: &[FoundDevice], classes: &[DeviceClass]) -> Rescan {
    let mut rescan = Rescan::default();
    for device in known {
        let seen = found.iter().find(|found| found.uuid == device.uuid);
        let to = match (seen, device.state) {
            (Some(_), DeviceState::Faulty) => DeviceState::Free,
            (Some(_), state) => state,
            (None, DeviceState::Leased) => {
                rescan.missing_leased.push(device.id);
                continue;
            }
            (None, _) => DeviceState::Faulty,
        };
        let slot = seen.map_or(device.slot, |found| found.slot);
        if to != device.state || slot != device.slot {
            rescan.changed.push(DeviceChange { id: device.id, version: device.version, from: device.state, to, slot });
        }
    }
    for found in found {
        if known.iter().any(|device| device.uuid == found.uuid) {
            continue;
        }
        let Some(class) = class_of(found, classes) else { continue };
        rescan.added.push(NewDevice {
            class: class.id.clone(),
            uuid: found.uuid.clone(),
            slot: found.slot,
            parent: None,
            mig_start: None,
        });
        if !classes.contains(&class) && !rescan.classes.contains(&class) {
            rescan.classes.push(class);
        }
    }
    rescan
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    const MODELS: [(&str, i64); 3] = [("Tesla T4", 15_360), ("NVIDIA H100 80GB HBM3", 81_559), ("Strange Thing", 4096)];

    fn classes() -> Vec<DeviceClass> {
        let row = |id: &str, model: &str, gib: i64| DeviceClass {
            id: id.parse().unwrap(),
            vendor: "nvidia".into(),
            model: model.into(),
            memory_mib: gib * 1024,
            mig_profile: None,
        };
        vec![row("t4-16gb", "T4", 16), row("h100-80gb", "H100", 80)]
    }

    /// What the store would hold after the rescan.
    fn applied(known: &[KnownDevice], rescan: &Rescan) -> Vec<KnownDevice> {
        let mut after = known.to_vec();
        for change in &rescan.changed {
            let device = after.iter_mut().find(|device| device.id == change.id).unwrap();
            assert_eq!((device.state, device.version), (change.from, change.version));
            (device.state, device.slot, device.version) = (change.to, change.slot, change.version + 1);
        }
        for device in &rescan.added {
            let id = Uuid::from_u128(u128::try_from(after.len()).unwrap() + 1).into();
            let (uuid, slot) = (device.uuid.clone(), device.slot);
            after.push(KnownDevice { id, uuid, slot, state: DeviceState::Free, version: 1 });
        }
        after
    }

    fn found(uuids: &[u8], turned: usize) -> Vec<FoundDevice> {
        let at = |slot: usize, uuid: u8| {
            let (model, memory_mib) = MODELS[usize::from(uuid) % MODELS.len()];
            let slot = i32::try_from((slot + turned) % uuids.len().max(1)).unwrap();
            FoundDevice { uuid: format!("GPU-{uuid}"), slot, model: model.into(), memory_mib }
        };
        uuids.iter().enumerate().map(|(slot, uuid)| at(slot, *uuid)).collect()
    }

    proptest! {
        #[test]
        fn a_rescan_of_the_same_devices_changes_nothing(uuids in prop::collection::btree_set(any::<u8>(), 1..12)) {
            let uuids: Vec<u8> = uuids.into_iter().collect();
            let first = rescan(&[], &found(&uuids, 0), &classes());
            prop_assert_eq!(first.added.len(), uuids.len());
            let known = applied(&[], &first);
            let mut market = classes();
            market.extend(first.classes);
            for _ in 0..100 {
                prop_assert_eq!(rescan(&known, &found(&uuids, 0), &market), Rescan::default());
            }
        }

        #[test]
        fn identities_survive_whatever_order_and_absence(
            first in prop::collection::btree_set(any::<u8>(), 1..12), second in prop::collection::btree_set(any::<u8>(), 1..12),
            turned in 0_usize..12,
        ) {
            let (first, second): (Vec<u8>, Vec<u8>) = (first.into_iter().collect(), second.into_iter().collect());
            let known = applied(&[], &rescan(&[], &found(&first, 0), &classes()));
            let away = applied(&known, &rescan(&known, &found(&second, turned), &classes()));
            let back = applied(&away, &rescan(&away, &found(&first, 0), &classes()));
            for device in &known {
                let again = back.iter().find(|again| again.id == device.id).unwrap();
                prop_assert_eq!((&again.uuid, again.slot, again.state), (&device.uuid, device.slot, DeviceState::Free));
            }
        }
    }

    #[test]
    fn a_device_that_vanishes_from_under_a_rental_is_left_to_the_rental() {
        let known = KnownDevice {
            id: Uuid::from_u128(1).into(),
            uuid: "GPU-0".into(),
            slot: 0,
            state: DeviceState::Leased,
            version: 1,
        };
        let rescan = rescan(std::slice::from_ref(&known), &found(&[7], 0), &classes());
        assert_eq!((rescan.missing_leased, rescan.changed), (vec![known.id], vec![]));
    }
}
