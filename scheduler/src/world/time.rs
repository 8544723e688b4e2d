//! Instants and durations in whole milliseconds. There is no clock here: every instant is an argument.

use serde::{Deserialize, Serialize};

/// An instant: milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct At(i64);

/// A duration in milliseconds; negative when it points backwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(i64);

impl At {
    /// The instant so many milliseconds after the Unix epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This instant moved by `span`; `None` beyond what 64 bits hold.
    #[must_use]
    pub fn checked_add(self, span: Millis) -> Option<Self> {
        self.0.checked_add(span.0).map(Self)
    }

    /// This instant moved by `span`, stopping at the ends of time. For comparisons, where the end of time is as good.
    #[must_use]
    pub fn saturating_add(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// How long after `earlier` this is; negative if it is before.
    #[must_use]
    pub fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A duration of so many milliseconds.
    #[must_use]
    pub const fn new(millis: i64) -> Self {
        Self(millis)
    }

    /// A duration of so many seconds.
    #[must_use]
    pub fn from_seconds(seconds: u32) -> Self {
        Self(i64::from(seconds) * 1000)
    }

    /// The number of milliseconds.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum; `None` beyond what 64 bits hold.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference; `None` beyond what 64 bits hold.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The larger of this and nothing.
    #[must_use]
    pub fn at_least_zero(self) -> Self {
        Self(self.0.max(0))
    }
}
