//! One demand's claim on devices, by one right.

use crate::plan::Why;
use crate::world::{At, DeviceId, NodeId};

/// A claim. Claims are served in order; a demand may have several, each by a weaker right than the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Ordinal of the demand.
    pub demand: usize,
    /// By which right.
    pub right: Why,
    /// Devices, all or nothing.
    pub gang: usize,
    /// The highest floor it can stand on, in micros. For a market claim also its limit.
    pub ceiling: i64,
    /// Classes it would run on, best first.
    pub choices: Vec<Choice>,
    /// The only node it is for.
    pub node: Option<NodeId>,
    /// The one of its choices that turned out best, once that is known.
    pub home: Option<usize>,
    /// Whether it is for the place that an earlier decision promised, and for no other.
    pub as_promised: bool,
}

/// A class that would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Ordinal of the class.
    pub class: usize,
    /// What running there costs, in a unit of the claim's own; the less the better. `None`: what the market asks.
    pub cost: Option<i64>,
}

/// A seat that a claim won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// By which right.
    pub right: Why,
    /// Place of the claim in the queue: the lower, the stronger.
    pub rank: usize,
    /// Where.
    pub bucket: usize,
    /// How many devices.
    pub gang: usize,
    /// Its devices as far as they are free; all of them once it starts.
    pub devices: Vec<DeviceId>,
    /// When it can start: now, or when the last notice before it ends.
    pub starts_at: At,
    /// Whether it runs there already.
    pub continues: bool,
    /// Whether it stays only because of its minimum run: a stronger claim would have had its place.
    pub sheltered: bool,
    /// The most it pays, in micros.
    pub limit: i64,
}

impl Claim {
    /// The classes that are looked at for a place.
    pub fn looks_at(&self) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(|choice| self.home.is_none_or(|home| home == choice.class))
    }

    /// Whether it would run on the class.
    #[must_use]
    pub fn accepts(&self, class: usize) -> bool {
        self.choices.iter().any(|choice| choice.class == class)
    }
}
