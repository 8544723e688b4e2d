//! One identifier type per entity, so that a bid can never be passed where a job is meant.
//!
//! On the wire an identifier is `prefix_` and 32 lower-case hexadecimal digits; in the database it is a UUID.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// Why a text is not an identifier of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text belongs to another kind of entity, or to none.
    #[error("expected an identifier that begins with `{expected}_`")]
    WrongPrefix {
        /// The prefix this kind of entity has.
        expected: &'static str,
    },
    /// The prefix is right and the rest is not 32 lower-case hexadecimal digits.
    #[error("expected 32 lower-case hexadecimal digits after `{expected}_`")]
    BadDigits {
        /// The prefix this kind of entity has.
        expected: &'static str,
    },
}

/// The UUID in a wire identifier. Strict: one spelling per identifier, so that texts compare as identifiers do.
fn parse(text: &str, prefix: &'static str) -> Result<Uuid, IdError> {
    let digits = text
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
        .ok_or(IdError::WrongPrefix { expected: prefix })?;
    let lower_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 32 || !digits.bytes().all(lower_hex) {
        return Err(IdError::BadDigits { expected: prefix });
    }
    Uuid::try_parse(digits).map_err(|_| IdError::BadDigits { expected: prefix })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// What the wire form begins with, without the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Wraps a UUID that is known to name this kind of entity.
            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The bare UUID, as the database stores it.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0.simple())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                parse(text, $prefix).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

ids! {
    /// A person who can log in.
    UserId = "usr";
    /// Who pays and who is paid: users act for one.
    OrganisationId = "org";
    /// An organisation in its role of offering nodes.
    ProviderId = "prv";
    /// A set of nodes in one trust and network domain, cleared together.
    PoolId = "pool";
    /// A computer with devices.
    NodeId = "node";
    /// A GPU, or a MIG slice of one.
    DeviceId = "dev";
    /// What a provider asks for the devices of one class on one node.
    AskId = "ask";
    /// The devices of one class on one node, as a tenant finds them. The same for as long as the node is the same.
    OfferId = "ofr";
    /// A price shown to a tenant, with an expiry.
    QuoteId = "quo";
    /// An interruptible bid.
    BidId = "bid";
    /// A fair-share job.
    JobId = "job";
    /// Devices in a tenant's hands, and the states they go through.
    RentalId = "rnt";
    /// The money-and-capacity agreement on one device under a rental.
    LeaseId = "lse";
    /// One clearing of one pool.
    RoundId = "rnd";
    /// Money set aside for a bid, job or rental.
    HoldId = "hld";
    /// A balanced set of ledger entries.
    TransferId = "trf";
    /// A ledger account.
    AccountId = "acc";
    /// A secret by which a program acts for an organisation.
    ApiKeyId = "key";
    /// A public key that opens rentals.
    SshKeyId = "ssh";
    /// Something that happened, as told to subscribers.
    EventId = "evt";
    /// A one-use permission to add a node.
    EnrolmentTokenId = "enr";
    /// Measured speeds of one workload.
    ProfileId = "prf";
    /// A log-in.
    SessionId = "ses";
    /// Devices bought for a window of time.
    ReservationId = "res";
    /// Something an operator should look at.
    AlertId = "alr";
    /// One metered interval of a rental.
    UsageId = "usg";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_form_is_prefix_and_32_lower_case_digits() {
        let id = BidId::from_uuid(Uuid::from_u128(0xABC));
        assert_eq!(id.to_string(), "bid_00000000000000000000000000000abc");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn another_kind_of_identifier_is_refused() {
        let job = JobId::from_uuid(Uuid::from_u128(1)).to_string();
        assert_eq!(job.parse::<BidId>(), Err(IdError::WrongPrefix { expected: "bid" }));
    }

    #[test]
    fn there_is_one_spelling() {
        for text in [
            "bid_00000000000000000000000000000ABC",
            "bid_00000000-0000-0000-0000-000000000abc",
            "bid_abc",
            "bid_",
            "bid_00000000000000000000000000000abcd",
        ] {
            assert_eq!(text.parse::<BidId>(), Err(IdError::BadDigits { expected: "bid" }), "{text}");
        }
    }

    #[test]
    fn json_carries_the_wire_form() {
        let id = PoolId::from_uuid(Uuid::from_u128(7));
        let json = serde_json::to_string(&id).expect("an id is a string");
        assert_eq!(json, "\"pool_00000000000000000000000000000007\"");
        assert_eq!(serde_json::from_str::<PoolId>(&json).expect("round trip"), id);
    }
}
