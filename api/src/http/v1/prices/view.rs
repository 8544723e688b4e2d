//! How price history looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::prices::Bucket;

/// A class's prices over time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Prices)]
pub struct PricesView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// Length of a point.
    #[schema(example = 300)]
    pub step_seconds: i32,
    /// The points that have a round, oldest first.
    pub points: Vec<PricePointView>,
}

/// The prices of the rounds of one step.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PricePoint)]
pub struct PricePointView {
    /// Where the step begins: a multiple of it.
    #[serde(with = "wire::timestamp")]
    pub at: OffsetDateTime,
    /// The first round's price per device and hour.
    #[schema(example = "1.80")]
    pub open: String,
    /// The highest.
    #[schema(example = "1.95")]
    pub high: String,
    /// The lowest.
    #[schema(example = "1.75")]
    pub low: String,
    /// The last round's.
    #[schema(example = "1.85")]
    pub close: String,
    /// A tenth of the rounds were at or below this.
    #[schema(example = "1.76")]
    pub p10: String,
    /// Half of them.
    #[schema(example = "1.82")]
    pub p50: String,
    /// Nine tenths of them.
    #[schema(example = "1.93")]
    pub p90: String,
    /// Devices that a round could give out, on average.
    pub supply_devices: i64,
    /// Devices that it gave out, on average.
    pub granted_devices: i64,
    /// Devices wanted, on average.
    pub demanded_devices: i64,
    /// Rounds in the step.
    pub rounds: i64,
}

impl From<Bucket> for PricePointView {
    fn from(bucket: Bucket) -> Self {
        Self {
            at: bucket.at,
            open: bucket.open.to_string(),
            high: bucket.high.to_string(),
            low: bucket.low.to_string(),
            close: bucket.close.to_string(),
            p10: bucket.p10.to_string(),
            p50: bucket.p50.to_string(),
            p90: bucket.p90.to_string(),
            supply_devices: bucket.supply,
            granted_devices: bucket.granted,
            demanded_devices: bucket.demanded,
            rounds: bucket.rounds,
        }
    }
}
