//! Device classes: the kinds of device that are traded, each with one price per round.

use super::money::PricePerHour;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::str::FromStr;

/// Longest class identifier.
const MAX_LENGTH: usize = 63;

/// The readable key of a device class: `h100-80gb`, `a100-80gb.1g.10gb`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ClassId(String);

/// A text that does not match `^[a-z0-9][a-z0-9.-]{0,62}$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a device class is 1 to 63 of a-z, 0-9, `.` and `-`, and begins with a letter or digit")]
pub struct ClassIdError;

impl ClassId {
    /// The key itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClassId {
    type Err = ClassIdError;

    fn from_str(text: &str) -> Result<Self, ClassIdError> {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let inner = |byte: u8| word(byte) || byte == b'.' || byte == b'-';
        let first = text.bytes().next().ok_or(ClassIdError)?;
        if text.len() > MAX_LENGTH || !word(first) || !text.bytes().all(inner) {
            return Err(ClassIdError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ClassId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ClassId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a class is made of: a GPU model, its memory, and the MIG profile if it is a slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceClass {
    /// Its key.
    pub id: ClassId,
    /// Who makes the GPU, in lower case: `nvidia`, `amd`.
    pub vendor: String,
    /// The model as its maker writes it: `H100`, `A100`, `RTX 4090`.
    pub model: String,
    /// Memory of one device of the class, in MiB.
    pub memory_mib: i64,
    /// The MIG profile, such as `1g.10gb`, when the class is a slice of a GPU.
    pub mig_profile: Option<String>,
}

/// A class as a pool's round sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSupply {
    /// Which class.
    pub id: ClassId,
    /// What the entitled part of a fair-share job pays. `None`: the floor of the ask it runs on.
    pub entitlement_price: Option<PricePerHour>,
    /// The price of the round before, if there was one.
    pub previous_price: Option<PricePerHour>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_keys_follow_their_pattern() {
        for text in ["h100-80gb", "a100-80gb.1g.10gb", "0"] {
            assert!(text.parse::<ClassId>().is_ok(), "{text}");
        }
        let long = "a".repeat(64);
        for text in ["", "-a", ".a", "H100", "a b", "a_b", long.as_str()] {
            assert_eq!(text.parse::<ClassId>(), Err(ClassIdError), "{text}");
        }
    }
}
