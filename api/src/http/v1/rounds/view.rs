//! How a round looks in lists.

use scheduler::record::hex;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::records::Cause;
use crate::store::rounds::Found;

/// A round in a line.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RoundSummary)]
pub struct RoundSummaryView {
    /// Counted from 1 in the pool.
    #[schema(example = 4711)]
    pub number: i64,
    /// Identity.
    #[schema(example = "rnd_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// When it was cleared.
    #[serde(with = "wire::timestamp")]
    pub cleared_at: OffsetDateTime,
    /// Why then.
    pub cause: Cause,
    /// How long planning took.
    #[schema(example = 12)]
    pub plan_milliseconds: i32,
    /// Demands that were looked at.
    #[schema(example = 40)]
    pub demands: usize,
    /// Gangs that run after it.
    #[schema(example = 25)]
    pub granted: usize,
    /// Gangs that were given notice.
    #[schema(example = 2)]
    pub evicted: usize,
    /// The prices.
    pub prices: Vec<SummaryPriceView>,
    /// Its hash in the pool's chain.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub hash: String,
}

/// A class's price.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassPrice)]
pub struct SummaryPriceView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// Per device and hour.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: String,
}

impl From<Found> for RoundSummaryView {
    fn from(round: Found) -> Self {
        let prices = round.summary.prices.iter().map(|line| SummaryPriceView {
            class_id: line.class.to_string(),
            price_per_gpu_hour: line.price.to_string(),
        });
        Self {
            number: round.number,
            id: round.id.to_string(),
            cleared_at: round.cleared_at,
            cause: round.cause,
            plan_milliseconds: round.plan_millis,
            demands: round.summary.demands,
            granted: round.summary.granted,
            evicted: round.summary.evicted,
            prices: prices.collect(),
            hash: hex(&round.hash),
        }
    }
}
