//! What can be filtered by, and how each field is compared.

use std::fmt;
use std::str::FromStr;

use super::error::FilterError;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole number.
    Count,
    /// A price.
    Price,
    /// A decimal from 0 to 1.
    Share,
    /// A version, ordered as numbers.
    Version,
    /// `true` or `false`.
    Flag,
    /// Words, compared exactly.
    Text,
    /// A name of a model: letter case, spaces and dashes do not matter.
    Model,
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// Equal.
    Eq,
    /// Not equal.
    Neq,
    /// Greater.
    Gt,
    /// Greater or equal.
    Gte,
    /// Less.
    Lt,
    /// Less or equal.
    Lte,
    /// One of a list.
    In,
    /// None of a list.
    Notin,
}

impl Op {
    /// Every operator.
    pub const ALL: [Self; 8] = [Self::Eq, Self::Neq, Self::Gt, Self::Gte, Self::Lt, Self::Lte, Self::In, Self::Notin];

    /// The name in a filter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Neq => "neq",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::In => "in",
            Self::Notin => "notin",
        }
    }

    /// Whether the value is a list with commas between.
    #[must_use]
    pub const fn takes_list(self) -> bool {
        matches!(self, Self::In | Self::Notin)
    }

    const fn orders(self) -> bool {
        matches!(self, Self::Gt | Self::Gte | Self::Lt | Self::Lte)
    }

    pub(super) fn names() -> String {
        listed(Self::ALL.map(Self::as_str).as_slice())
    }
}

macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal $kind:ident;)+) => {
        /// What offers can be filtered by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Field { $($(#[doc = $doc])+ $variant,)+ }

        impl Field {
            /// Every field.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in a filter.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $name),+ } }

            pub(super) const fn kind(self) -> Kind { match self { $(Self::$variant => Kind::$kind),+ } }
        }
    };
}

fields! {
    /// Memory of one device.
    VramMib = "vram_mib" Count;
    /// Posted price of on-demand use.
    Price = "price_per_gpu_hour" Price;
    /// The least for interruptible use.
    Floor = "floor_per_gpu_hour" Price;
    /// The last round's price of the class.
    MarketPrice = "market_price_per_gpu_hour" Price;
    /// Share of time in which the node kept its promises.
    Reliability = "reliability" Share;
    /// Bandwidth from the internet.
    InetDownMbps = "inet_down_mbps" Count;
    /// The newest CUDA.
    CudaMax = "cuda_max" Version;
    /// Version of the driver.
    Driver = "driver" Version;
    /// Where in the world.
    Region = "region" Text;
    /// Whether the devices were checked.
    Verified = "verified" Flag;
    /// Whether they are connected by NVLink.
    Nvlink = "nvlink" Flag;
    /// Devices that nobody has.
    DevicesFree = "devices_free" Count;
    /// Devices that work.
    DevicesTotal = "devices_total" Count;
    /// The smallest gang that is let in.
    MinChunk = "min_chunk" Count;
    /// The key of the device class.
    Class = "class" Text;
    /// The model.
    Model = "model" Model;
    /// Who makes it.
    Vendor = "vendor" Text;
    /// The slice's profile, or `none` for a whole GPU.
    MigProfile = "mig_profile" Text;
    /// Who offers: an id or a name.
    Provider = "provider" Text;
}

impl Field {
    /// Whether the field can be compared so.
    #[must_use]
    pub const fn allows(self, op: Op) -> bool {
        match self.kind() {
            Kind::Count | Kind::Price | Kind::Share | Kind::Version => true,
            Kind::Text | Kind::Model => !op.orders(),
            Kind::Flag => matches!(op, Op::Eq | Op::Neq),
        }
    }

    pub(super) fn ops(self) -> String {
        let allowed: Vec<_> = Op::ALL.into_iter().filter(|op| self.allows(*op)).map(Op::as_str).collect();
        listed(&allowed)
    }

    pub(super) fn names() -> String {
        listed(&Self::ALL.iter().map(|field| field.as_str()).collect::<Vec<_>>())
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl FromStr for Field {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let known = Self::ALL.iter().find(|field| field.as_str() == text);
        known.copied().ok_or_else(|| FilterError::UnknownField(text.to_owned()))
    }
}

impl FromStr for Op {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        Self::ALL.into_iter().find(|op| op.as_str() == text).ok_or_else(|| FilterError::UnknownOp(text.to_owned()))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
