//! What a provider asks for the devices of one class on one node.

use super::class::ClassId;
use super::ids::AskId;
use super::money::PricePerHour;
use super::time::At;
use serde::{Deserialize, Serialize};

/// A live ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Which ask.
    pub id: AskId,
    /// The class it is for.
    pub class: ClassId,
    /// The least the provider takes for interruptible use.
    pub floor: PricePerHour,
    /// The posted price of on-demand use.
    pub price: PricePerHour,
    /// The smallest gang the provider lets in.
    pub min_chunk: i32,
    /// When the offer ends, if it does.
    pub ends_at: Option<At>,
}
