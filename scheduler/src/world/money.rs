//! Money in whole micro-units of a pool's currency. Checked operations only; one function rounds, and says how.

use super::time::Millis;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::str::FromStr;

/// Micro-units in one unit of currency.
const MICROS: i64 = 1_000_000;
/// Decimals that a micro-unit can hold.
const DECIMALS: usize = 6;
/// Milliseconds in an hour: the denominator of every charge.
const HOUR: i64 = 3_600_000;

/// Why a text or a number is not an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Not of the form `12` or `12.34`: signs, exponents, separators and names are refused.
    #[error("expected a decimal number such as 12.34")]
    NotDecimal,
    /// More than six decimals: it cannot be held exactly.
    #[error("at most six decimals can be held exactly")]
    TooPrecise,
    /// Outside what 64 bits of micro-units hold.
    #[error("the amount is too large")]
    TooLarge,
    /// A price is more than nothing.
    #[error("a price is greater than zero")]
    NotPositive,
    /// Time cannot be charged backwards, and a residue lies below one micro-unit.
    #[error("a charge needs a duration, a count and a residue that are not negative")]
    BadMeter,
}

/// An amount in millionths of a currency unit. Signed, since ledgers subtract.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(i64);

/// What one device costs for an hour, in millionths of a currency unit. Always greater than zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PricePerHour(i64);

/// The part of a micro-unit that a meter has earned and not yet charged, in 3,600,000ths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Residue(i64);

impl Micros {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount of so many millionths.
    #[must_use]
    pub const fn new(micros: i64) -> Self {
        Self(micros)
    }

    /// The number of millionths.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum; `None` when it does not fit.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference; `None` when it does not fit.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// This many basis points (hundredths of a percent) of the amount, rounded down: how a platform fee is cut.
    #[must_use]
    pub fn basis_points(self, bps: i32) -> Option<Self> {
        let part = i128::from(self.0) * i128::from(bps);
        i64::try_from(part.div_euclid(10_000)).ok().map(Self)
    }
}

impl PricePerHour {
    /// The least price there is.
    pub const LEAST: Self = Self(1);

    /// A price of so many millionths per device and hour.
    ///
    /// # Errors
    /// [`MoneyError::NotPositive`] for zero and below.
    pub const fn from_micros(micros: i64) -> Result<Self, MoneyError> {
        if micros > 0 { Ok(Self(micros)) } else { Err(MoneyError::NotPositive) }
    }

    /// Millionths per device and hour.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The next price above, the least by which one can be outbid; `None` at the end of the range.
    #[must_use]
    pub fn next_up(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }

    /// The highest price at which `budget` pays for `devices` over `span`; `None` if none does.
    #[must_use]
    pub fn affordable(budget: Micros, devices: i32, span: Millis) -> Option<Self> {
        let divisor = i128::from(devices) * i128::from(span.get());
        if divisor <= 0 {
            return None;
        }
        let price = i128::from(budget.get()) * i128::from(HOUR) / divisor;
        let price = i64::try_from(price.min(i128::from(i64::MAX))).ok()?;
        Self::from_micros(price).ok()
    }

    /// What `devices` cost for `span`, rounded up: what must be at hand before it is spent.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when the amount does not fit, [`MoneyError::BadMeter`] for a negative span.
    pub fn cost(self, devices: i32, span: Millis) -> Result<Micros, MoneyError> {
        let (whole, rest) = charge(self, devices, span, Residue::ZERO)?;
        let up = Micros::new(i64::from(rest != Residue::ZERO));
        whole.checked_add(up).ok_or(MoneyError::TooLarge)
    }
}

impl<'de> Deserialize<'de> for PricePerHour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_micros(i64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Residue {
    /// Nothing carried.
    pub const ZERO: Self = Self(0);

    /// A residue as a meter stored it.
    ///
    /// # Errors
    /// [`MoneyError::BadMeter`] outside 0 to 3,599,999.
    pub const fn from_raw(raw: i64) -> Result<Self, MoneyError> {
        if raw >= 0 && raw < HOUR { Ok(Self(raw)) } else { Err(MoneyError::BadMeter) }
    }

    /// 3,600,000ths of a micro-unit.
    #[must_use]
    pub const fn raw(self) -> i64 {
        self.0
    }
}

/// What `devices` cost for `span` at `price`: `(price * devices * milliseconds + residue) / 3,600,000`, rounded
/// down, with the remainder carried into the next interval. However a time is cut, the charges add up to the same
/// sum, short of the last residue.
///
/// # Errors
/// [`MoneyError::BadMeter`] for a negative span, [`MoneyError::TooLarge`] when the amount does not fit.
pub fn charge(
    price: PricePerHour,
    devices: i32,
    span: Millis,
    residue: Residue,
) -> Result<(Micros, Residue), MoneyError> {
    if span.get() < 0 || devices < 0 {
        return Err(MoneyError::BadMeter);
    }
    let hour = i128::from(HOUR);
    let numerator = i128::from(price.0)
        .checked_mul(i128::from(devices) * i128::from(span.get()))
        .and_then(|product| product.checked_add(i128::from(residue.0)))
        .ok_or(MoneyError::TooLarge)?;
    let amount = i64::try_from(numerator / hour).map_err(|_| MoneyError::TooLarge)?;
    let rest = i64::try_from(numerator % hour).map_err(|_| MoneyError::TooLarge)?;
    Ok((Micros(amount), Residue(rest)))
}

/// Exact value of a decimal text in millionths.
fn parse_decimal(text: &str) -> Result<i64, MoneyError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(MoneyError::NotDecimal),
        Some(parts) => parts,
        None => (text, ""),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return Err(MoneyError::NotDecimal);
    }
    if fraction.len() > DECIMALS {
        return Err(MoneyError::TooPrecise);
    }
    let digits = |part: &str| {
        part.bytes().try_fold(0_i64, |value, byte| value.checked_mul(10)?.checked_add(i64::from(byte - b'0')))
    };
    let padded = format!("{fraction:0<DECIMALS$}");
    digits(whole)
        .and_then(|units| units.checked_mul(MICROS))
        .and_then(|units| units.checked_add(digits(&padded)?))
        .ok_or(MoneyError::TooLarge)
}

/// The shortest exact decimal with at least two decimals.
fn write_decimal(micros: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sign = if micros < 0 { "-" } else { "" };
    let size = micros.unsigned_abs();
    let unit = MICROS.unsigned_abs();
    let fraction = format!("{:06}", size % unit);
    let kept = fraction.trim_end_matches('0').len().max(2);
    write!(f, "{sign}{}.{}", size / unit, &fraction[..kept])
}

impl FromStr for Micros {
    type Err = MoneyError;

    /// Reads a decimal amount exactly. Amounts that people type are not negative.
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        parse_decimal(text).map(Self)
    }
}

impl FromStr for PricePerHour {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        parse_decimal(text).and_then(Self::from_micros)
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(self.0, f)
    }
}

impl fmt::Display for PricePerHour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(self.0, f)
    }
}

#[cfg(test)]
#[path = "money_tests.rs"]
mod tests;
