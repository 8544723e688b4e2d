//! The GPU request grammar: `H100,A100:80GB:1..8`, `nvidia:A10G:2`, `A100:1g.10gb:2`.
//!
//! Tokens are separated by colons, in any order, each kind at most once: a vendor, a comma list of models (each begins
//! with a letter), a memory or range of memory *with* unit, a count or range of counts *without* unit, a MIG profile.
//! Whether anything matches is a question to a [`DeviceClass`]; nothing here knows what is for sale.

use super::class::DeviceClass;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Longest accepted text.
const MAX_LENGTH: usize = 256;
/// Largest count that can be asked for.
const MAX_COUNT: i64 = 1024;
/// Vendors whose names are recognised; any other word is a model.
const VENDORS: [&str; 5] = ["nvidia", "amd", "intel", "google", "tenstorrent"];
/// The vendor of classes that are no GPU: a machine rented whole.
const NO_GPU: &str = "cpu";
/// Units of memory, in MiB. Each is 1024 of the one before.
const UNITS: [(&str, i64); 3] = [("MB", 1), ("GB", 1024), ("TB", 1024 * 1024)];

/// A parsed request. Empty parts do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GpuRequest {
    /// The vendor, in lower case.
    pub vendor: Option<String>,
    /// Acceptable models, as written.
    pub models: Vec<String>,
    /// Memory of one device, in MiB.
    pub memory_mib: Option<Range>,
    /// How many devices.
    pub count: Option<Range>,
    /// The MIG profile, in lower case. Without one, whole GPUs are meant.
    pub mig_profile: Option<String>,
}

/// A closed range; an open end does not restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least, included.
    pub min: Option<i64>,
    /// The most, included.
    pub max: Option<i64>,
}

/// The kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `nvidia`
    Vendor,
    /// `H100,A100`
    Models,
    /// `24GB..80GB`
    Memory,
    /// `1..8`
    Count,
    /// `1g.10gb`
    MigProfile,
}

/// Why a text is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Nothing was asked for.
    #[error("the request is empty; ask for example for `H100:1..8`")]
    Empty,
    /// More text than a request needs.
    #[error("a request has at most 256 characters")]
    TooLong,
    /// Two colons in a row, or one at an end.
    #[error("token {position} is empty")]
    EmptyToken {
        /// Counted from 1.
        position: usize,
    },
    /// A kind of token twice.
    #[error("`{token}` is a second {kind}; each kind may appear once")]
    Repeated {
        /// The second token.
        token: String,
        /// Its kind.
        kind: TokenKind,
    },
    /// A range whose least exceeds its most, or without any end.
    #[error("`{token}` is an empty {kind} range")]
    EmptyRange {
        /// The token.
        token: String,
        /// Its kind.
        kind: TokenKind,
    },
    /// A number that is zero or too large.
    #[error("`{token}` is not a possible {kind}")]
    OutOfRange {
        /// The token.
        token: String,
        /// Its kind.
        kind: TokenKind,
    },
    /// A range with a memory at one end and a count at the other.
    #[error("`{token}` mixes a memory and a count; write the unit at both ends")]
    MixedRange {
        /// The token.
        token: String,
    },
    /// No kind has this form.
    #[error("`{token}` is neither vendor, model, memory (with unit), count (without) nor MIG profile")]
    Unknown {
        /// The token.
        token: String,
    },
}

impl GpuRequest {
    /// Whether a device of the class is what was asked for. The count is not a property of a class. A class that is no
    /// GPU is meant only by its name.
    #[must_use]
    pub fn matches(&self, class: &DeviceClass) -> bool {
        let same_vendor = self.vendor.as_ref().is_none_or(|vendor| vendor.eq_ignore_ascii_case(&class.vendor));
        let same_model =
            self.models.is_empty() || self.models.iter().any(|model| folded(model) == folded(&class.model));
        let fits = self.memory_mib.is_none_or(|range| range.contains(class.memory_mib));
        let same_profile = match (&self.mig_profile, &class.mig_profile) {
            (None, None) => true,
            (Some(wanted), Some(profile)) => wanted.eq_ignore_ascii_case(profile),
            _ => false,
        };
        let meant = class.vendor != NO_GPU || !self.models.is_empty();
        meant && same_vendor && same_model && fits && same_profile
    }

    /// The least and the most devices asked for; 1 and 1 when no count was given.
    #[must_use]
    pub fn counts(&self) -> (i64, i64) {
        match self.count {
            None => (1, 1),
            Some(range) => (range.min.unwrap_or(1), range.max.unwrap_or(MAX_COUNT)),
        }
    }

    fn accept(&mut self, token: &str) -> Result<(), RequestError> {
        match read(token)? {
            Token::Vendor(vendor) => fill(&mut self.vendor, vendor, token, TokenKind::Vendor),
            Token::MigProfile(profile) => fill(&mut self.mig_profile, profile, token, TokenKind::MigProfile),
            Token::Memory(range) => fill(&mut self.memory_mib, range, token, TokenKind::Memory),
            Token::Count(range) => fill(&mut self.count, range, token, TokenKind::Count),
            Token::Models(models) if self.models.is_empty() => {
                self.models = models;
                Ok(())
            }
            Token::Models(_) => Err(RequestError::Repeated { token: token.to_owned(), kind: TokenKind::Models }),
        }
    }
}

impl Range {
    /// Whether the value lies in the range.
    #[must_use]
    pub fn contains(self, value: i64) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }
}

enum Token {
    Vendor(String),
    Models(Vec<String>),
    Memory(Range),
    Count(Range),
    MigProfile(String),
}

/// A number at one end of a range.
enum Bound {
    Open,
    Memory(i64),
    Count(i64),
}

fn fill<T>(slot: &mut Option<T>, value: T, token: &str, kind: TokenKind) -> Result<(), RequestError> {
    if slot.replace(value).is_some() {
        return Err(RequestError::Repeated { token: token.to_owned(), kind });
    }
    Ok(())
}

fn read(token: &str) -> Result<Token, RequestError> {
    if is_mig_profile(token) {
        return Ok(Token::MigProfile(token.to_ascii_lowercase()));
    }
    if token.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return read_words(token);
    }
    read_range(token)
}

fn read_words(token: &str) -> Result<Token, RequestError> {
    if VENDORS.iter().any(|vendor| vendor.eq_ignore_ascii_case(token)) {
        return Ok(Token::Vendor(token.to_ascii_lowercase()));
    }
    let models: Vec<String> = token.split(',').map(|model| model.trim().to_owned()).collect();
    if models.iter().all(|model| is_model(model)) {
        Ok(Token::Models(models))
    } else {
        Err(RequestError::Unknown { token: token.to_owned() })
    }
}

fn read_range(token: &str) -> Result<Token, RequestError> {
    let unknown = || RequestError::Unknown { token: token.to_owned() };
    let (low, high) = match token.split_once("..") {
        Some((low, high)) => (read_bound(low).ok_or_else(unknown)?, read_bound(high).ok_or_else(unknown)?),
        None => match read_bound(token).ok_or_else(unknown)? {
            Bound::Memory(value) => (Bound::Memory(value), Bound::Memory(value)),
            Bound::Count(value) => (Bound::Count(value), Bound::Count(value)),
            Bound::Open => return Err(unknown()),
        },
    };
    match (low, high) {
        (Bound::Open, Bound::Open) => Err(unknown()),
        (Bound::Memory(low), Bound::Memory(high)) => memory(token, Some(low), Some(high)),
        (Bound::Memory(low), Bound::Open) => memory(token, Some(low), None),
        (Bound::Open, Bound::Memory(high)) => memory(token, None, Some(high)),
        (Bound::Count(low), Bound::Count(high)) => count(token, Some(low), Some(high)),
        (Bound::Count(low), Bound::Open) => count(token, Some(low), None),
        (Bound::Open, Bound::Count(high)) => count(token, None, Some(high)),
        (Bound::Memory(_), Bound::Count(_)) | (Bound::Count(_), Bound::Memory(_)) => {
            Err(RequestError::MixedRange { token: token.to_owned() })
        }
    }
}

fn memory(token: &str, min: Option<i64>, max: Option<i64>) -> Result<Token, RequestError> {
    checked(token, TokenKind::Memory, Range { min, max }, i64::MAX).map(Token::Memory)
}

fn count(token: &str, min: Option<i64>, max: Option<i64>) -> Result<Token, RequestError> {
    checked(token, TokenKind::Count, Range { min, max }, MAX_COUNT).map(Token::Count)
}

fn checked(token: &str, kind: TokenKind, range: Range, most: i64) -> Result<Range, RequestError> {
    let possible = |bound: Option<i64>| bound.is_none_or(|value| (1..=most).contains(&value));
    if !possible(range.min) || !possible(range.max) {
        return Err(RequestError::OutOfRange { token: token.to_owned(), kind });
    }
    match (range.min, range.max) {
        (Some(min), Some(max)) if min > max => Err(RequestError::EmptyRange { token: token.to_owned(), kind }),
        _ => Ok(range),
    }
}

fn read_bound(text: &str) -> Option<Bound> {
    if text.is_empty() {
        return Some(Bound::Open);
    }
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let value: i64 = digits.parse().ok()?;
    if unit.is_empty() {
        return Some(Bound::Count(value));
    }
    let (_, mib) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    value.checked_mul(*mib).map(Bound::Memory)
}

/// `1g.10gb`, `3g.40gb`, `1g.10gb+me`.
fn is_mig_profile(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    lower
        .strip_suffix("+me")
        .unwrap_or(&lower)
        .split_once("g.")
        .is_some_and(|(slices, memory)| digits(slices) && memory.strip_suffix("gb").is_some_and(digits))
}

fn is_model(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.'))
}

/// `RTX 4090`, `rtx4090` and `RTX-4090` name one model.
fn folded(model: &str) -> String {
    model.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl FromStr for GpuRequest {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        if text.len() > MAX_LENGTH {
            return Err(RequestError::TooLong);
        }
        if text.trim().is_empty() {
            return Err(RequestError::Empty);
        }
        let mut request = Self::default();
        for (index, token) in text.split(':').map(str::trim).enumerate() {
            if token.is_empty() {
                return Err(RequestError::EmptyToken { position: index + 1 });
            }
            request.accept(token)?;
        }
        Ok(request)
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vendor => "vendor",
            Self::Models => "list of models",
            Self::Memory => "memory",
            Self::Count => "count",
            Self::MigProfile => "MIG profile",
        })
    }
}

impl fmt::Display for GpuRequest {
    /// The canonical spelling: vendor, models, memory, profile, count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.memory_mib.map(|range| range.spell(with_unit));
        let count = self.count.map(|range| range.spell(|value| value.to_string()));
        let models = (!self.models.is_empty()).then(|| self.models.join(","));
        let parts = [self.vendor.clone(), models, memory, self.mig_profile.clone(), count];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(":"))
    }
}

impl Range {
    fn spell(self, number: impl Fn(i64) -> String) -> String {
        let end = |bound: Option<i64>| bound.map(&number).unwrap_or_default();
        if self.min == self.max { end(self.min) } else { format!("{}..{}", end(self.min), end(self.max)) }
    }
}

/// The largest unit that divides the memory.
fn with_unit(mib: i64) -> String {
    let (name, size) = UNITS.iter().rev().find(|(_, size)| mib % size == 0).unwrap_or(&UNITS[0]);
    format!("{}{name}", mib / size)
}

impl Serialize for GpuRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GpuRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
