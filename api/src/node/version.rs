//! Version numbers of drivers and of CUDA, ordered as numbers: 9.2 is before 10.0.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Most parts of a version: `535.104.05` has three.
const PARTS_MAX: usize = 4;
/// Most digits of a part.
const DIGITS_MAX: usize = 9;

/// One to four numbers. Missing parts count as zero when versions are compared.
#[derive(Debug, Clone, Eq)]
pub struct Version {
    text: String,
    parts: [u32; PARTS_MAX],
}

/// A text that is no version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a version is one to four numbers with points between, such as 12.4 or 535.104.05")]
pub struct VersionError;

impl Version {
    /// The version as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let mut parts = [0; PARTS_MAX];
        for (index, part) in text.split('.').enumerate() {
            let slot = parts.get_mut(index).ok_or(VersionError)?;
            let digits = !part.is_empty() && part.len() <= DIGITS_MAX && part.bytes().all(|byte| byte.is_ascii_digit());
            if !digits {
                return Err(VersionError);
            }
            *slot = part.parse().map_err(|_| VersionError)?;
        }
        Ok(Self { text: text.to_owned(), parts })
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts.cmp(&other.parts)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().expect(text)
    }

    #[test]
    fn versions_are_ordered_as_numbers_and_not_as_text() {
        let rising = ["9", "9.2", "10.0", "10.0.1", "470.256.02", "535.54.03", "535.104.05", "1000.0"];
        for pair in rising.windows(2) {
            assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn missing_parts_and_leading_zeros_make_no_difference() {
        assert_eq!(version("12"), version("12.0"));
        assert_eq!(version("535.104.05"), version("535.104.5"));
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for text in ["", ".", "1.", ".1", "1..2", "1.2.3.4.5", "v1", "1e3", "-1", "1.2-beta", "１２", "1234567890"] {
            assert_eq!(text.parse::<Version>(), Err(VersionError), "{text}");
        }
    }
}
