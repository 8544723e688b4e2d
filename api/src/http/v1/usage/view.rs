//! How a metered interval looks on the wire.

use scheduler::world::ids::{RentalId, TransferId, UsageId};
use scheduler::world::money::Micros;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::clock::to_at;
use crate::http::wire;
use crate::store::usage::UsageInterval;

/// One closed interval of use, and its payment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usage)]
pub struct UsageView {
    /// Identity.
    #[schema(example = "usg_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The rental.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub rental_id: String,
    /// The class of its devices.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// How many devices.
    #[schema(example = 2)]
    pub devices: i32,
    /// Per device and hour, throughout the interval.
    #[schema(example = "2.50")]
    pub price_per_gpu_hour: String,
    /// Where it begins.
    #[serde(with = "wire::timestamp")]
    pub starts_at: OffsetDateTime,
    /// Where it ends.
    #[serde(with = "wire::timestamp")]
    pub ends_at: OffsetDateTime,
    /// How long it is.
    #[schema(example = 60_000)]
    pub milliseconds: i64,
    /// What was paid: price x devices x time, and the fraction carried over from the interval before, rounded down to a
    /// millionth.
    #[schema(example = "0.083333")]
    pub amount: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// The payment; null where the amount is nothing yet.
    pub transfer_id: Option<String>,
}

impl From<UsageInterval> for UsageView {
    fn from(interval: UsageInterval) -> Self {
        Self {
            id: UsageId::from(interval.id).to_string(),
            rental_id: RentalId::from(interval.rental_id).to_string(),
            class_id: interval.class_id,
            devices: interval.devices,
            price_per_gpu_hour: Micros::new(interval.price_micros_per_hour).to_string(),
            starts_at: interval.starts_at,
            ends_at: interval.ends_at,
            milliseconds: to_at(interval.ends_at).since(to_at(interval.starts_at)).get(),
            amount: Micros::new(interval.amount_micros).to_string(),
            currency: interval.currency,
            transfer_id: interval.transfer_id.map(|id| TransferId::from(id).to_string()),
        }
    }
}
