//! Values: what a filter compares with, and what an offer states.

use std::cmp::Ordering;
use std::fmt;

use scheduler::world::money::{Micros, PricePerHour};

use super::error::FilterError;
use super::field::{Field, Kind};
use crate::node::Version;
use crate::offers::Offer;

/// What stands for a whole GPU where a slice's profile would be.
pub(in crate::offers) const NO_PROFILE: &str = "none";

/// One value of a field's kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Count(i64),
    /// A price or a share, in millionths.
    Decimal(i64),
    /// A version.
    Version(Version),
    /// `true` or `false`.
    Flag(bool),
    /// Words, compared exactly.
    Text(String),
    /// A model, as written; compared without case, spaces and dashes.
    Model(String),
    /// Who offers: an id and a name. Only an offer states it; a filter names one of the two.
    Party {
        /// The wire form of the id.
        id: String,
        /// The name.
        name: String,
    },
}

impl Value {
    /// Reads a value of the field's kind.
    pub(super) fn parse(field: Field, text: &str) -> Result<Self, FilterError> {
        let bad = |expected| FilterError::BadValue { field, token: text.to_owned(), expected };
        let digits = || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match field.kind() {
            Kind::Count if digits() => text.parse().map(Self::Count).map_err(|_| bad("a smaller whole number")),
            Kind::Count => Err(bad("a whole number")),
            Kind::Price => text
                .parse::<PricePerHour>()
                .map(|price| Self::Decimal(price.micros()))
                .map_err(|_| bad("a price above zero such as 2.50")),
            Kind::Share => text
                .parse::<Micros>()
                .ok()
                .filter(|share| share.get() <= 1_000_000)
                .map(|share| Self::Decimal(share.get()))
                .ok_or_else(|| bad("a decimal from 0 to 1")),
            Kind::Version => text.parse().map(Self::Version).map_err(|_| bad("a version such as 12.4 or 535.104.05")),
            Kind::Flag => text.parse().map(Self::Flag).map_err(|_| bad("true or false")),
            Kind::Text if text.is_empty() => Err(bad("a word")),
            Kind::Text => Ok(Self::Text(text.to_owned())),
            Kind::Model if folded(text).is_empty() => Err(bad("the name of a model")),
            Kind::Model => Ok(Self::Model(text.to_owned())),
        }
    }

    /// What the offer states; `None` if it does not say.
    pub(super) fn of(field: Field, offer: &Offer) -> Option<Self> {
        let count = |number: i32| Some(Self::Count(number.into()));
        let text = |text: &str| Some(Self::Text(text.to_owned()));
        match field {
            Field::VramMib => Some(Self::Count(offer.class.memory_mib)),
            Field::Price => Some(Self::Decimal(offer.price.micros())),
            Field::Floor => Some(Self::Decimal(offer.floor.micros())),
            Field::MarketPrice => offer.market_price.map(|price| Self::Decimal(price.micros())),
            Field::Reliability => Some(Self::Decimal(offer.reliability_ppm.into())),
            Field::InetDownMbps => count(offer.inet_down_mbps),
            Field::CudaMax => offer.cuda_max.clone().map(Self::Version),
            Field::Driver => offer.driver.clone().map(Self::Version),
            Field::Region => text(&offer.region),
            Field::Verified => Some(Self::Flag(offer.verified)),
            Field::Nvlink => Some(Self::Flag(offer.nvlink)),
            Field::DevicesFree => count(offer.devices_free),
            Field::DevicesTotal => count(offer.devices_total),
            Field::MinChunk => count(offer.min_chunk),
            Field::Class => text(offer.class.id.as_str()),
            Field::Model => Some(Self::Model(offer.class.model.clone())),
            Field::Vendor => text(&offer.class.vendor),
            Field::MigProfile => text(offer.class.mig_profile.as_deref().unwrap_or(NO_PROFILE)),
            Field::Provider => Some(Self::Party { id: offer.provider.to_string(), name: offer.provider_name.clone() }),
        }
    }

    /// Whether a filter's value is what an offer states.
    pub(super) fn equals(&self, stated: &Self) -> bool {
        match (self, stated) {
            (Self::Model(wanted), Self::Model(model)) => folded(wanted) == folded(model),
            (Self::Text(wanted), Self::Party { id, name }) => wanted == id || wanted == name,
            (wanted, stated) => wanted == stated,
        }
    }

    /// How two values of one kind are ordered; `None` for kinds without an order.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Count(a), Self::Count(b)) | (Self::Decimal(a), Self::Decimal(b)) => Some(a.cmp(b)),
            (Self::Version(a), Self::Version(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// `RTX 4090`, `rtx4090` and `RTX-4090` name one model.
fn folded(model: &str) -> String {
    model.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(number) => write!(f, "{number}"),
            Self::Decimal(micros) => write!(f, "{}", Micros::new(*micros)),
            Self::Version(version) => write!(f, "{version}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) | Self::Model(text) => f.write_str(text),
            Self::Party { id, .. } => f.write_str(id),
        }
    }
}
