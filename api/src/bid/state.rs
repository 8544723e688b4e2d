//! The states of a bid, and the only ways from one to another.
//!
//! ```text
//! open <-> paused      its money does not cover a round, until it does
//!   |  \
//!   |   allocated -> notice        it has a rental; it goes back to open if that ends and it asked to
//!   v       v          v
//! cancelled | expired | exhausted
//! ```

use scheduler::world::ids::RentalId;
use time::OffsetDateTime;

/// Where a bid stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BidState {
    /// It waits in the book.
    Open,
    /// It has devices.
    Allocated {
        /// The rental that holds them.
        rental: RentalId,
    },
    /// It has devices that are promised to somebody else.
    Notice {
        /// The rental that holds them.
        rental: RentalId,
    },
    /// It waits for money.
    Paused,
    /// Its owner took it back.
    Cancelled {
        /// When.
        at: OffsetDateTime,
    },
    /// Its time is over.
    Expired {
        /// When.
        at: OffsetDateTime,
    },
    /// Its money is spent.
    Exhausted {
        /// When.
        at: OffsetDateTime,
    },
}

/// The bare name of a state, the same as the column's values.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = BidState)]
pub enum StateName {
    /// Waits in the book.
    Open,
    /// Has devices.
    Allocated,
    /// Has devices that are promised to somebody else.
    Notice,
    /// Waits for money.
    Paused,
    /// Taken back by its owner.
    Cancelled,
    /// Its time is over.
    Expired,
    /// Its money is spent.
    Exhausted,
}

impl StateName {
    /// All states.
    pub const ALL: [Self; 7] =
        [Self::Open, Self::Allocated, Self::Notice, Self::Paused, Self::Cancelled, Self::Expired, Self::Exhausted];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Allocated => "allocated",
            Self::Notice => "notice",
            Self::Paused => "paused",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Exhausted => "exhausted",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// What a tenant can do with a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BidAction)]
pub enum Action {
    /// Take it back. A rental that it has ends.
    Cancel,
}

/// The bid is over, so nothing can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bid is {} already", .now.as_str())]
pub struct Refused {
    /// The state it is in.
    pub now: StateName,
}

impl BidState {
    /// The bare name.
    #[must_use]
    pub const fn name(self) -> StateName {
        match self {
            Self::Open => StateName::Open,
            Self::Allocated { .. } => StateName::Allocated,
            Self::Notice { .. } => StateName::Notice,
            Self::Paused => StateName::Paused,
            Self::Cancelled { .. } => StateName::Cancelled,
            Self::Expired { .. } => StateName::Expired,
            Self::Exhausted { .. } => StateName::Exhausted,
        }
    }

    /// The rental that serves it now.
    #[must_use]
    pub const fn rental(self) -> Option<RentalId> {
        match self {
            Self::Allocated { rental } | Self::Notice { rental } => Some(rental),
            Self::Open | Self::Paused | Self::Cancelled { .. } | Self::Expired { .. } | Self::Exhausted { .. } => None,
        }
    }

    /// When it was over.
    #[must_use]
    pub const fn closed_at(self) -> Option<OffsetDateTime> {
        match self {
            Self::Cancelled { at } | Self::Expired { at } | Self::Exhausted { at } => Some(at),
            Self::Open | Self::Allocated { .. } | Self::Notice { .. } | Self::Paused => None,
        }
    }

    /// What a tenant can do now.
    #[must_use]
    pub const fn actions(self) -> &'static [Action] {
        if self.closed_at().is_some() { &[] } else { &[Action::Cancel] }
    }

    /// Its owner takes it back.
    ///
    /// # Errors
    /// [`Refused`] when it is over.
    pub fn cancel(self, at: OffsetDateTime) -> Result<Self, Refused> {
        self.live().map(|_| Self::Cancelled { at })
    }

    /// Its time is over.
    ///
    /// # Errors
    /// [`Refused`] when it is over.
    pub fn expire(self, at: OffsetDateTime) -> Result<Self, Refused> {
        self.live().map(|_| Self::Expired { at })
    }

    fn live(self) -> Result<Self, Refused> {
        if self.closed_at().is_some() { Err(Refused { now: self.name() }) } else { Ok(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn every() -> [BidState; 7] {
        let rental = RentalId::from_uuid(uuid::Uuid::from_u128(1));
        [
            BidState::Open,
            BidState::Allocated { rental },
            BidState::Notice { rental },
            BidState::Paused,
            BidState::Cancelled { at: AT },
            BidState::Expired { at: AT },
            BidState::Exhausted { at: AT },
        ]
    }

    #[test]
    fn a_live_bid_can_be_taken_back_and_a_closed_one_cannot() {
        for state in every() {
            let live = state.closed_at().is_none();
            assert_eq!(state.cancel(AT).is_ok(), live, "{state:?}");
            assert_eq!(state.expire(AT).is_ok(), live, "{state:?}");
            assert_eq!(state.actions().is_empty(), !live, "{state:?}");
        }
    }

    #[test]
    fn every_state_has_its_name() {
        assert_eq!(every().map(BidState::name), StateName::ALL);
        assert!(StateName::ALL.into_iter().all(|name| StateName::parse(name.as_str()) == Some(name)));
    }
}
