//! How an offer looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::offers::{Filter, Offer, Source};

/// The devices of one class on one node, at one provider's terms.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Offer)]
pub struct OfferView {
    /// Identity: it follows from node and class, so it survives rescans and changes of price.
    #[schema(example = "ofr_4be7d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// By which it is quoted and rented.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub ask_id: String,
    /// Where it is cleared.
    pub pool_id: String,
    /// Where the devices are.
    pub node_id: String,
    /// Who offers.
    pub provider: OfferProviderView,
    /// Of which class the devices are.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The model.
    #[schema(example = "H100")]
    pub model: String,
    /// Who makes it.
    #[schema(example = "nvidia")]
    pub vendor: String,
    /// Memory of one device.
    #[schema(example = 81920)]
    pub vram_mib: i64,
    /// Set for a slice.
    pub mig_profile: Option<String>,
    /// Where in the world.
    #[schema(example = "eu-west")]
    pub region: String,
    /// Of all prices.
    #[schema(example = "USD")]
    pub currency: String,
    /// Posted price of on-demand use.
    #[schema(example = "2.50")]
    pub price_per_gpu_hour: String,
    /// The least for interruptible use.
    #[schema(example = "1.10")]
    pub floor_per_gpu_hour: String,
    /// The class's price in the pool's last round; null before the first.
    #[schema(example = "1.85")]
    pub market_price_per_gpu_hour: Option<String>,
    /// The smallest gang that is let in.
    #[schema(example = 1)]
    pub min_chunk: i32,
    /// Devices that work.
    #[schema(example = 8)]
    pub devices_total: i32,
    /// Devices that nobody has.
    #[schema(example = 4)]
    pub devices_free: i32,
    /// Devices of bids and jobs that can be given notice.
    #[schema(example = 2)]
    pub devices_preemptible: i32,
    /// The largest gang that could start this instant.
    #[schema(example = 4)]
    pub largest_block: i32,
    /// Share of time in which the node kept its promises, from 0 to 1.
    #[schema(example = 0.998)]
    pub reliability: f64,
    /// Whether the devices are known to be what they are said to be.
    pub verified: bool,
    /// Whether they are connected by NVLink.
    pub nvlink: bool,
    /// Bandwidth from the internet.
    #[schema(example = 10_000)]
    pub inet_down_mbps: i32,
    /// Version of the driver.
    #[schema(example = "550.54.15")]
    pub driver: Option<String>,
    /// The newest CUDA that the driver supports.
    #[schema(example = "12.4")]
    pub cuda_max: Option<String>,
    /// When the offer ends, if it does.
    #[serde(with = "wire::timestamp::option")]
    pub ends_at: Option<OffsetDateTime>,
}

/// Who offers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OfferProvider)]
pub struct OfferProviderView {
    /// Identity.
    #[schema(example = "prv_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Name.
    #[schema(example = "Campus North")]
    pub name: String,
}

/// One condition that every offer of the reply meets. All that applied are listed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AppliedFilter)]
pub struct AppliedFilterView {
    /// About what.
    #[schema(example = "vram_mib")]
    pub field: &'static str,
    /// How it is compared.
    #[schema(example = "gte")]
    pub op: &'static str,
    /// With what.
    #[schema(example = "24576")]
    pub value: String,
    /// Who asked for it.
    pub source: Source,
}

impl From<Offer> for OfferView {
    fn from(offer: Offer) -> Self {
        Self {
            id: offer.id().to_string(),
            ask_id: offer.ask.to_string(),
            pool_id: offer.pool.to_string(),
            node_id: offer.node.to_string(),
            largest_block: offer.largest_block(),
            provider: OfferProviderView { id: offer.provider.to_string(), name: offer.provider_name },
            class_id: offer.class.id.to_string(),
            model: offer.class.model,
            vendor: offer.class.vendor,
            vram_mib: offer.class.memory_mib,
            mig_profile: offer.class.mig_profile,
            region: offer.region,
            currency: offer.currency,
            price_per_gpu_hour: offer.price.to_string(),
            floor_per_gpu_hour: offer.floor.to_string(),
            market_price_per_gpu_hour: offer.market_price.map(|price| price.to_string()),
            min_chunk: offer.min_chunk,
            devices_total: offer.devices_total,
            devices_free: offer.devices_free,
            devices_preemptible: offer.devices_preemptible,
            reliability: wire::share(offer.reliability_ppm),
            verified: offer.verified,
            nvlink: offer.nvlink,
            inet_down_mbps: offer.inet_down_mbps,
            driver: offer.driver.map(|version| version.to_string()),
            cuda_max: offer.cuda_max.map(|version| version.to_string()),
            ends_at: offer.ends_at,
        }
    }
}

impl From<&Filter> for AppliedFilterView {
    fn from(filter: &Filter) -> Self {
        Self { field: filter.field.as_str(), op: filter.op.as_str(), value: filter.value(), source: filter.source }
    }
}
