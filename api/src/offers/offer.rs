//! An offer: the devices of one class on one node, at one provider's terms.

use scheduler::world::class::DeviceClass;
use scheduler::world::ids::{AskId, NodeId, OfferId, PoolId, ProviderId};
use scheduler::world::money::PricePerHour;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Builder;

use crate::node::Version;

/// What a tenant can rent, as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// By which it is rented.
    pub ask: AskId,
    /// Where it is cleared.
    pub pool: PoolId,
    /// Where the devices are.
    pub node: NodeId,
    /// Who offers.
    pub provider: ProviderId,
    /// Who offers, by name.
    pub provider_name: String,
    /// Of which class they are.
    pub class: DeviceClass,
    /// Where in the world.
    pub region: String,
    /// Of all prices.
    pub currency: String,
    /// Posted price of on-demand use.
    pub price: PricePerHour,
    /// The least for interruptible use.
    pub floor: PricePerHour,
    /// The class's price in the pool's last round.
    pub market_price: Option<PricePerHour>,
    /// The smallest gang that is let in.
    pub min_chunk: i32,
    /// Devices that work.
    pub devices_total: i32,
    /// Devices that nobody has.
    pub devices_free: i32,
    /// Devices that can be taken back from whoever has them.
    pub devices_preemptible: i32,
    /// Share of time in which the node kept its promises, in millionths.
    pub reliability_ppm: i32,
    /// Whether the devices are known to be what they are said to be.
    pub verified: bool,
    /// Whether they are connected by NVLink.
    pub nvlink: bool,
    /// Bandwidth from the internet.
    pub inet_down_mbps: i32,
    /// Version of the driver.
    pub driver: Option<Version>,
    /// The newest CUDA that the driver supports.
    pub cuda_max: Option<Version>,
    /// When the offer ends, if it does.
    pub ends_at: Option<OffsetDateTime>,
}

impl Offer {
    /// Its identity: it follows from the node and the class, so it survives rescans and new asks.
    #[must_use]
    pub fn id(&self) -> OfferId {
        let mut hash = Sha256::new();
        hash.update(self.node.uuid().as_bytes());
        hash.update(self.class.id.as_str().as_bytes());
        let digest = hash.finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Builder::from_custom_bytes(bytes).into_uuid().into()
    }

    /// The largest gang that could start this instant; none below the smallest that is let in.
    #[must_use]
    pub const fn largest_block(&self) -> i32 {
        if self.devices_free < self.min_chunk { 0 } else { self.devices_free }
    }
}
