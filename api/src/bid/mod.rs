//! What a bid is, pure: its order, its states, and what may be done with it. No SQL, no clock.

mod state;

pub use state::{Action, BidState, Refused, StateName};

use scheduler::world::ids::{BidId, OrganisationId, PoolId, RentalId, UserId};
use scheduler::world::{ClassId, DemandId, PricePerHour};
use time::OffsetDateTime;

/// An interruptible bid: `gang` devices while the price is at or below the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    /// Identity.
    pub id: BidId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// Where it waits.
    pub pool: PoolId,
    /// Who placed it.
    pub created_by: UserId,
    /// The GPU request, as asked.
    pub request: String,
    /// The classes that the request matched when it was placed: any of them does.
    pub classes: Vec<ClassId>,
    /// Devices, all or nothing, on one node.
    pub gang: i32,
    /// The most it pays for one device and hour.
    pub limit: PricePerHour,
    /// What to run.
    pub command: Option<String>,
    /// Whether it goes back to the book after it lost its devices.
    pub reenter: bool,
    /// When it ends by itself.
    pub ends_at: Option<OffsetDateTime>,
    /// Where it stands.
    pub state: BidState,
    /// The rental that serves it, or served it last.
    pub rental: Option<RentalId>,
    /// When it was placed.
    pub created_at: OffsetDateTime,
    /// For guarded writes.
    pub version: i64,
}

impl Bid {
    /// The demand that its hold and its rentals belong to.
    #[must_use]
    pub const fn demand(&self) -> DemandId {
        DemandId::Bid(self.id)
    }
}
