//! In which order offers are listed: one figure, up or down, ties by identity.

use std::fmt;
use std::str::FromStr;

use scheduler::world::money::PricePerHour;
use uuid::Uuid;

use super::Offer;

/// What offers can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Price,
    Floor,
    MarketPrice,
    Reliability,
    VramMib,
    DevicesFree,
    InetDownMbps,
}

const NAMES: [(&str, By); 7] = [
    ("price_per_gpu_hour", By::Price),
    ("floor_per_gpu_hour", By::Floor),
    ("market_price_per_gpu_hour", By::MarketPrice),
    ("reliability", By::Reliability),
    ("vram_mib", By::VramMib),
    ("devices_free", By::DevicesFree),
    ("inet_down_mbps", By::InetDownMbps),
];

/// A figure, up or down. Offers that do not state it come last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    by: By,
    down: bool,
}

/// A text that names no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no order; there are {names}, each with `-` before it for the largest first", names = names())]
pub struct OrderError(String);

/// Where an offer stands in an order. Total: no two offers have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Not stated sorts behind stated.
    pub(super) unstated: bool,
    /// The figure, turned over when the largest comes first.
    pub(super) figure: i64,
    /// The offer's identity.
    pub(super) id: Uuid,
}

impl Order {
    pub(super) fn rank(self, offer: &Offer) -> Rank {
        let figure = self.figure(offer);
        let turned = figure.map(|figure| if self.down { -figure } else { figure });
        Rank { unstated: figure.is_none(), figure: turned.unwrap_or(0), id: offer.id().uuid() }
    }

    fn figure(self, offer: &Offer) -> Option<i64> {
        match self.by {
            By::Price => Some(offer.price.micros()),
            By::Floor => Some(offer.floor.micros()),
            By::MarketPrice => offer.market_price.map(PricePerHour::micros),
            By::Reliability => Some(offer.reliability_ppm.into()),
            By::VramMib => Some(offer.class.memory_mib),
            By::DevicesFree => Some(offer.devices_free.into()),
            By::InetDownMbps => Some(offer.inet_down_mbps.into()),
        }
    }
}

impl Default for Order {
    /// The cheapest first.
    fn default() -> Self {
        Self { by: By::Price, down: false }
    }
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Self, OrderError> {
        let (name, down) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, by)| Self { by: *by, down }).ok_or_else(|| OrderError(text.to_owned()))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, by)| *by == self.by).map_or("", |(name, _)| name);
        write!(f, "{}{name}", if self.down { "-" } else { "" })
    }
}

fn names() -> String {
    NAMES.map(|(name, _)| format!("`{name}`")).join(", ")
}
