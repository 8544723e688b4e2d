//! The token under which a provider starts a workload once: the rental and its epoch.

use std::fmt;
use std::str::FromStr;

use scheduler::world::ids::RentalId;

/// `rnt_… . epoch`. A provider sees nothing else of us, so whatever it lists can be traced back to a rental.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientToken {
    /// The rental.
    pub rental: RentalId,
    /// Its epoch, raised on every placement.
    pub epoch: i64,
}

/// A text that is no token of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a token that we gave out")]
pub struct BadToken(String);

impl fmt::Display for ClientToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.rental, self.epoch)
    }
}

impl FromStr for ClientToken {
    type Err = BadToken;

    fn from_str(text: &str) -> Result<Self, BadToken> {
        let parsed = text.split_once('.').and_then(|(rental, epoch)| {
            let token = Self { rental: rental.parse().ok()?, epoch: epoch.parse().ok()? };
            (token.epoch > 0 && token.to_string() == text).then_some(token)
        });
        parsed.ok_or_else(|| BadToken(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_and_has_one_spelling() {
        let token = ClientToken { rental: uuid::Uuid::from_u128(7).into(), epoch: 3 };
        assert_eq!(token.to_string().parse(), Ok(token));
        for wrong in ["", "rnt_1.1", &format!("{}.0", token.rental), &format!("{}.03", token.rental)] {
            assert!(wrong.parse::<ClientToken>().is_err(), "{wrong}");
        }
    }
}
