//! How an ask looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::asks::Ask;

/// What a provider wants for the devices of one class on one node.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Ask)]
pub struct AskView {
    /// Identity.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// On which node.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub node_id: String,
    /// For devices of which class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The pool's currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// Posted price of on-demand use.
    #[schema(example = "2.50")]
    pub price_per_gpu_hour: String,
    /// The least for interruptible use.
    #[schema(example = "1.10")]
    pub floor_per_gpu_hour: String,
    /// The smallest gang that is let in.
    pub min_chunk: i32,
    /// When the offer ends, if it does.
    #[serde(with = "wire::timestamp::option")]
    #[schema(example = "2026-06-30T00:00:00.000Z")]
    pub ends_at: Option<OffsetDateTime>,
    /// When it was taken back or replaced.
    #[serde(with = "wire::timestamp::option")]
    pub withdrawn_at: Option<OffsetDateTime>,
    /// When it was placed.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}

impl From<Ask> for AskView {
    fn from(ask: Ask) -> Self {
        Self {
            id: ask.id.to_string(),
            node_id: ask.node.to_string(),
            class_id: ask.class.to_string(),
            currency: ask.currency,
            price_per_gpu_hour: ask.price.to_string(),
            floor_per_gpu_hour: ask.floor.to_string(),
            min_chunk: ask.min_chunk,
            ends_at: ask.ends_at,
            withdrawn_at: ask.withdrawn_at,
            created_at: ask.created_at,
        }
    }
}
