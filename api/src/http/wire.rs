//! How times and shares look on the wire. Times are RFC 3339, UTC, always three digits of milliseconds.

/// A share of one, stored in millionths, as a number from 0 to 1.
#[must_use]
pub fn share(ppm: i32) -> f64 {
    f64::from(ppm) / 1e6
}

/// For `#[serde(with = "wire::timestamp")]`.
pub mod timestamp {
    use serde::{Serialize as _, Serializer};
    use time::OffsetDateTime;
    use time::format_description::BorrowedFormatItem;
    use time::macros::format_description;

    const FORMAT: &[BorrowedFormatItem<'_>] =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

    /// The instant as text.
    #[must_use]
    pub fn format(instant: OffsetDateTime) -> String {
        instant.to_offset(time::UtcOffset::UTC).format(FORMAT).unwrap_or_default()
    }

    /// The instant in a text of RFC 3339, with any offset, cut to whole milliseconds.
    #[must_use]
    pub fn parse(text: &str) -> Option<OffsetDateTime> {
        let instant = OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).ok()?;
        Some(crate::clock::from_at(crate::clock::to_at(instant)))
    }

    /// Writes the instant.
    pub fn serialize<S: Serializer>(instant: &OffsetDateTime, serializer: S) -> Result<S::Ok, S::Error> {
        format(*instant).serialize(serializer)
    }

    /// For instants that may be absent.
    pub mod option {
        use super::{OffsetDateTime, Serializer, format};
        use serde::Serialize as _;

        /// Writes the instant, or null.
        pub fn serialize<S: Serializer>(instant: &Option<OffsetDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
            instant.map(format).serialize(serializer)
        }
    }
}
