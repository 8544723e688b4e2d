//! How a book looks on the wire. Bids come in bands of limits, so that no single limit can be read off.

use scheduler::plan::{Band, Depth};
use scheduler::world::{Micros, PricePerHour};
use serde::Serialize;
use utoipa::ToSchema;

/// The book of a class, as the last round saw it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Depth)]
pub struct DepthView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// The round.
    #[schema(example = 4711)]
    pub round_number: i64,
    /// The price it cleared at.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: Option<String>,
    /// What is wanted, highest limit first.
    pub bids: Vec<BidBandView>,
    /// What is offered, lowest floor first.
    pub asks: Vec<AskBandView>,
}

/// Devices wanted in a band of limits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BidBand)]
pub struct BidBandView {
    /// The lower end of the band.
    #[schema(example = "2.00")]
    pub limit_per_gpu_hour: String,
    /// Devices wanted there.
    pub devices: i32,
    /// Devices wanted there and above.
    pub cumulative_devices: i64,
}

/// Devices offered at a floor.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AskBand)]
pub struct AskBandView {
    /// The floor.
    #[schema(example = "1.10")]
    pub floor_per_gpu_hour: String,
    /// Devices offered there.
    pub devices: i32,
    /// Devices offered there and below.
    pub cumulative_devices: i64,
}

impl DepthView {
    pub(super) fn new(depth: Depth, currency: String, round_number: i64, price: Option<PricePerHour>) -> Self {
        let bids = cumulated(&depth.bids).map(|(price, devices, cumulative_devices)| BidBandView {
            limit_per_gpu_hour: price,
            devices,
            cumulative_devices,
        });
        let asks = cumulated(&depth.asks).map(|(price, devices, cumulative_devices)| AskBandView {
            floor_per_gpu_hour: price,
            devices,
            cumulative_devices,
        });
        Self {
            currency,
            round_number,
            price_per_gpu_hour: price.map(|price| price.to_string()),
            bids: bids.collect(),
            asks: asks.collect(),
            class_id: depth.class.to_string(),
        }
    }
}

fn cumulated(bands: &[Band]) -> impl Iterator<Item = (String, i32, i64)> {
    bands.iter().scan(0_i64, |sum, band| {
        *sum += i64::from(band.devices);
        // The lowest band of limits begins at nothing, which is an amount and not a price.
        Some((Micros::new(band.price).to_string(), band.devices, *sum))
    })
}
