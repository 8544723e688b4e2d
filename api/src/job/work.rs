//! Amounts of work and weights, as people write them and as rounds count them: in whole thousandths, exactly.
//!
//! Work of a profile counts in the profile's steps. Without a profile, or with a profile in GPU-hours, it is written in
//! hours of one device and counted in thousandths of device-seconds.

use std::str::FromStr;

use scheduler::world::Micros;

/// What work and speeds are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ProfileUnit)]
pub enum Unit {
    /// Training steps, or whatever else the workload repeats.
    Steps,
    /// Hours of one device.
    GpuHours,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 2] = [Self::Steps, Self::GpuHours];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::GpuHours => "gpu_hours",
        }
    }
}

/// A name that is no unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a unit of work")]
pub struct UnknownUnit(String);

impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(text: &str) -> Result<Self, UnknownUnit> {
        Self::ALL.into_iter().find(|unit| unit.as_str() == text).ok_or_else(|| UnknownUnit(text.to_owned()))
    }
}

/// The most work that one job can have: a billion steps, or hours.
const MOST: Micros = Micros::new(1_000_000_000_000_000);
/// The largest weight, in thousandths.
const WEIGHT_MOST: i64 = 1_000_000;
/// Thousandths of device-seconds in an hour of one device.
const HOUR: i64 = 3_600_000;
/// Decimals are read as millionths.
const MILLION: i64 = 1_000_000;

/// A text that is no amount of work, or no weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// Not a decimal that can be held.
    #[error(
        "work is a decimal greater than zero and at most a billion, with at most three decimals for steps and six for hours"
    )]
    Work,
    /// Not a weight.
    #[error("a weight is a decimal from 0.001 to 1000, with at most three decimals")]
    Weight,
    /// Not a cap on weights.
    #[error("a cap is a decimal from 0.001 to 1000000, with at most three decimals")]
    Cap,
}

/// Counts work in thousandths of steps or of device-seconds. Less than a thousandth of a second is rounded up to one.
///
/// # Errors
/// [`WorkError::Work`] for what cannot be counted exactly, for nothing, and for too much.
pub fn count_work(amount: Micros, unit: Unit) -> Result<i64, WorkError> {
    if !(Micros::new(1)..=MOST).contains(&amount) {
        return Err(WorkError::Work);
    }
    match (unit, amount.get()) {
        (Unit::Steps, micros) if micros % 1000 == 0 => Ok(micros / 1000),
        (Unit::Steps, _) => Err(WorkError::Work),
        (Unit::GpuHours, micros) => {
            let exact = i128::from(micros) * i128::from(HOUR);
            let whole = exact.div_euclid(i128::from(MILLION)) + i128::from(exact % i128::from(MILLION) != 0);
            i64::try_from(whole).map_err(|_| WorkError::Work)
        }
    }
}

/// What a gang does per second where no profile says so, in milliunits: a device-second of each of its devices.
#[must_use]
pub fn unprofiled_speed(gang: i32) -> i64 {
    i64::from(gang) * 1000
}

/// Writes work as it is read; hours are rounded down to a millionth.
#[must_use]
pub fn spell_work(thousandths: i64, unit: Unit) -> String {
    match unit {
        Unit::Steps => decimal(i128::from(thousandths) * 1000),
        Unit::GpuHours => decimal(i128::from(thousandths) * i128::from(MILLION) / i128::from(HOUR)),
    }
}

/// Which part of the whole is done, from 0 to 1, rounded down to a millionth.
#[must_use]
pub fn fraction(done: i64, whole: i64) -> String {
    decimal(i128::from(done.clamp(0, whole)) * i128::from(MILLION) / i128::from(whole.max(1)))
}

/// Reads a weight, in thousandths.
///
/// # Errors
/// [`WorkError::Weight`] for what is no such weight.
pub fn parse_weight(text: &str) -> Result<i32, WorkError> {
    thousandths(text, WEIGHT_MOST).and_then(|milli| i32::try_from(milli).ok()).ok_or(WorkError::Weight)
}

/// Writes a weight as it is read.
#[must_use]
pub fn spell_weight(milli: i32) -> String {
    decimal(i128::from(milli) * 1000)
}

/// The largest cap on a sum of weights, in thousandths.
const CAP_MOST: i64 = 1_000_000_000;

/// Reads a cap on the sum of weights, in thousandths.
///
/// # Errors
/// [`WorkError::Cap`] for what is no such cap.
pub fn parse_cap(text: &str) -> Result<i64, WorkError> {
    thousandths(text, CAP_MOST).ok_or(WorkError::Cap)
}

/// Writes a cap as it is read.
#[must_use]
pub fn spell_cap(milli: i64) -> String {
    decimal(i128::from(milli) * 1000)
}

/// A decimal above zero with at most three decimals, in thousandths.
fn thousandths(text: &str, most: i64) -> Option<i64> {
    let micros = text.parse::<Micros>().ok()?.get();
    let milli = micros / 1000;
    (micros % 1000 == 0 && (1..=most).contains(&milli)).then_some(milli)
}

/// The shortest exact decimal of an amount in millionths that is not negative.
fn decimal(micros: i128) -> String {
    let (whole, rest) = (micros / i128::from(MILLION), micros % i128::from(MILLION));
    let text = format!("{whole}.{rest:06}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_work(text: &str, unit: Unit) -> Result<i64, WorkError> {
        count_work(text.parse().map_err(|_| WorkError::Work)?, unit)
    }

    #[test]
    fn work_is_written_as_it_was_read() {
        for text in ["1", "0.001", "12.5", "1000000000"] {
            assert_eq!(spell_work(parse_work(text, Unit::Steps).unwrap(), Unit::Steps), text);
        }
        for text in ["1", "0.000001", "0.333333", "12.5", "2.718281", "1000000000"] {
            assert_eq!(spell_work(parse_work(text, Unit::GpuHours).unwrap(), Unit::GpuHours), text);
        }
        assert_eq!(parse_work("2.5", Unit::GpuHours), Ok(9_000_000));
    }

    #[test]
    fn what_is_no_work_is_refused() {
        for text in ["0", "-1", "", "1e3", "NaN", "1000000000.000001", "0.0000001", &"9".repeat(40)] {
            for unit in Unit::ALL {
                assert_eq!(parse_work(text, unit), Err(WorkError::Work), "{text:?}");
            }
        }
        assert_eq!(parse_work("0.0001", Unit::Steps), Err(WorkError::Work));
    }

    #[test]
    fn progress_lies_between_nothing_and_everything() {
        assert_eq!(fraction(0, 3), "0");
        assert_eq!(fraction(1, 3), "0.333333");
        assert_eq!(fraction(5, 3), "1");
    }

    #[test]
    fn a_weight_has_three_decimals() {
        assert_eq!(parse_weight("1").map(spell_weight), Ok("1".to_owned()));
        assert_eq!(parse_weight("0.001").map(spell_weight), Ok("0.001".to_owned()));
        assert_eq!(parse_weight("1000"), Ok(1_000_000));
        for text in ["0", "0.0005", "1000.001", "-1", "one"] {
            assert_eq!(parse_weight(text), Err(WorkError::Weight), "{text}");
        }
    }
}
