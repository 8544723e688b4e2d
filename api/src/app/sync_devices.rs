//! Brings a node's devices in line with what its agent found: at enrolment and at every rescan.

use scheduler::world::ids::{DeviceId, NodeId, PoolId};
use time::OffsetDateTime;

use crate::entropy::Entropy;
use crate::node::{FoundDevice, KnownDevice, UNKNOWN_VENDOR, rescan};
use crate::store::{StoreError, Tx, device_classes, devices};

/// What was made of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceSync {
    /// Uuids of new devices whose model the market does not know: they are listed under a class of their own.
    pub unknown: Vec<String>,
    /// Devices that vanished from under a rental: it is for the caller to end those with `device_fault`.
    pub missing_leased: Vec<DeviceId>,
}

/// Compares and writes. The report must have been checked ([`crate::node::check_found`]).
pub async fn sync_devices(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    pool: PoolId,
    node: NodeId,
    found: &[FoundDevice],
    now: OffsetDateTime,
) -> Result<DeviceSync, StoreError> {
    let known: Vec<KnownDevice> = devices::of_nodes(tx, &[node])
        .await?
        .into_iter()
        .map(|device| KnownDevice {
            id: device.id,
            uuid: device.uuid,
            slot: device.slot,
            state: device.state,
            version: device.version,
        })
        .collect();
    let classes = device_classes::all(tx).await?;
    let rescan = rescan(&known, found, &classes);
    if !rescan.classes.is_empty() {
        device_classes::add(tx, &rescan.classes, now).await?;
    }
    let of_unknown =
        |id| classes.iter().chain(&rescan.classes).any(|class| class.id == id && class.vendor == UNKNOWN_VENDOR);
    let unknown = rescan
        .added
        .iter()
        .filter(|device| of_unknown(device.class.clone()))
        .map(|device| device.uuid.clone())
        .collect();
    let added: Vec<(DeviceId, _)> = rescan.added.into_iter().map(|device| (entropy.id(now), device)).collect();
    devices::insert(tx, pool, node, &added, now).await?;
    devices::rescanned(tx, &rescan.changed).await?;
    Ok(DeviceSync { unknown, missing_leased: rescan.missing_leased })
}
