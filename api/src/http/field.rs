//! Reading single fields of a body or a query: each refusal names the field and says what it accepts.

use std::fmt::Display;
use std::str::FromStr;

use scheduler::world::class::ClassId;
use scheduler::world::money::PricePerHour;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::error::{Code, Problem};
use super::extract::PathId;
use crate::app::Name;
use crate::config::limits;

/// A value outside of what the field accepts.
pub fn invalid(field: &str, detail: impl Display) -> Problem {
    Problem::new(Code::InvalidValue, detail).field(field)
}

/// A price per device and hour: a decimal above zero, exact to six places.
pub fn price(field: &str, text: &str) -> Result<PricePerHour, Problem> {
    let price: PricePerHour = text.parse().map_err(|error| invalid(field, error))?;
    if price.micros() > limits::PRICE_MICROS_MAX {
        return Err(invalid(field, "a price is at most 1000000 per device and hour"));
    }
    Ok(price)
}

/// A name of 1 to 100 characters.
pub fn name(field: &str, text: &str) -> Result<Name, Problem> {
    Name::parse(text).ok_or_else(|| invalid(field, "a name has 1 to 100 characters"))
}

/// The key of a device class.
pub fn class(field: &str, text: &str) -> Result<ClassId, Problem> {
    text.parse().map_err(|error| invalid(field, error))
}

/// An id of the expected kind. What is none names nothing.
pub fn id<T: PathId>(field: &str, text: &str) -> Result<T, Problem>
where
    <T as FromStr>::Err: Display,
{
    text.parse().map_err(|error: <T as FromStr>::Err| invalid(field, error))
}

/// An instant in RFC 3339, to the millisecond, from 1970 on.
pub fn instant(field: &str, text: &str) -> Result<OffsetDateTime, Problem> {
    let instant = OffsetDateTime::parse(text, &Rfc3339)
        .map_err(|_| invalid(field, "write a time as 2026-01-31T12:00:00Z (RFC 3339)"))?;
    if instant < OffsetDateTime::UNIX_EPOCH {
        return Err(invalid(field, "write a time from 1970 on"));
    }
    Ok(crate::clock::from_at(crate::clock::to_at(instant)))
}

/// A decimal from 0 to 1, in millionths.
pub fn share_ppm(field: &str, text: &str) -> Result<i32, Problem> {
    let micros: scheduler::world::money::Micros = text.parse().map_err(|error| invalid(field, error))?;
    i32::try_from(micros.get()).ok().filter(|ppm| *ppm <= 1_000_000).ok_or_else(|| invalid(field, "a share is 0 to 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_prices_are_refused_and_name_their_field() {
        let forty_digits = "1".repeat(40);
        for text in [
            "",
            " ",
            "0",
            "0.000000",
            "-1",
            "-0",
            "-0.00",
            "+1",
            "NaN",
            "nan",
            "inf",
            "Infinity",
            "1e3",
            "1E-3",
            "0x10",
            "1.",
            ".5",
            "1,5",
            "1_000",
            "1.0000001",
            "１",
            "1\u{0}",
            "1; DROP TABLE asks",
            "' OR 1=1 --",
            "1000000.000001",
            &forty_digits,
        ] {
            let refused = price("price_per_gpu_hour", text).expect_err(text);
            assert_eq!(refused.code(), Code::InvalidValue, "{text}");
        }
        for (text, micros) in [("0.29", 290_000), ("1.005", 1_005_000), ("64.10", 64_100_000), ("0.000001", 1)] {
            assert_eq!(price("price_per_gpu_hour", text).expect(text).micros(), micros);
        }
    }

    #[test]
    fn an_instant_is_cut_to_the_millisecond_and_moved_to_utc() {
        let instant = instant("ends_at", "2026-01-31T13:00:00.1239+01:00").unwrap();
        assert_eq!(super::super::wire::timestamp::format(instant), "2026-01-31T12:00:00.123Z");
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "0000-01-01T00:00:00Z",
        ] {
            assert!(super::instant("ends_at", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_share_is_exact_in_millionths() {
        assert_eq!(share_ppm("phi", "0.3").unwrap(), 300_000);
        assert_eq!(share_ppm("phi", "1").unwrap(), 1_000_000);
        for text in ["1.000001", "-0.1", "0.0000001", "half", "99999999999999999999"] {
            assert!(share_ppm("phi", text).is_err(), "{text}");
        }
    }
}
