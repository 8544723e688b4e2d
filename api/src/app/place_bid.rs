//! A tenant places a bid. What is asked for is checked against the market's terms, purely; then the hold, the bid and the
//! reply under its key are written together or not at all, at the [`BidDesk`].

use scheduler::world::ids::{BidId, PoolId};
use scheduler::world::{ClassId, GpuRequest, Micros, PricePerHour};
use serde::{Serialize, Serializer};
use time::{Duration, OffsetDateTime};

use super::bid_desk::{BidDesk, DeskError, Waiting};
use super::catalogue::{Terms, matching};
use super::once::{Fingerprint, Key, OnceError, Reply};
use super::{Caller, Command};
use crate::bid::{Bid, BidState};
use crate::clock::to_at;
use crate::ledger::hold;
use crate::store::StoreError;

/// The largest gang: more devices than any node has.
pub const GANG_MAX: i64 = 64;
/// How far ahead a bid may end.
const ENDS_WITHIN: Duration = Duration::days(366);

/// What a tenant asks for.
#[derive(Debug, Clone, Serialize)]
pub struct BidOrder {
    /// The pool; the oldest that has what is asked for if none is named.
    pub pool: Option<PoolId>,
    /// Which devices, and how many at least.
    pub gpu: GpuRequest,
    /// The most that one device may cost per hour.
    pub limit: PricePerHour,
    /// When the bid ends by itself.
    #[serde(serialize_with = "millis")]
    pub ends_at: Option<OffsetDateTime>,
    /// Whether it goes back to the book after it lost its devices.
    pub reenter: bool,
    /// What to run.
    pub command: Option<Command>,
}

/// A bid that can be placed if its owner has the money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placing {
    /// The bid.
    pub bid: Bid,
    /// What is set aside for it.
    pub hold: Micros,
    /// In which currency.
    pub currency: String,
    /// The last prices of its classes.
    pub prices: Vec<(ClassId, Option<PricePerHour>)>,
}

/// Why a bid was not placed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceBidError {
    /// The pool that was named does not exist, or there is none at all.
    #[error("there is no such pool; GET /v1/pools lists them")]
    NoSuchPool,
    /// Nothing in the pool is what was asked for.
    #[error("no device class of the pool matches `{0}`; GET /v1/pools lists the classes of each")]
    NoSuchClass(Box<GpuRequest>),
    /// A gang is on one node.
    #[error("a gang has at most {GANG_MAX} devices, since it is placed on one node")]
    GangTooLarge,
    /// The limit is above what the pool accepts.
    #[error("the limit is above the pool's cap of {cap} per device and hour")]
    LimitAboveCap {
        /// The cap.
        cap: PricePerHour,
    },
    /// The limit is below what anybody sells for, so the bid could never win.
    #[error("the limit is below the lowest floor of {floor} per device and hour, so the bid could never win")]
    LimitBelowFloor {
        /// The lowest floor.
        floor: PricePerHour,
    },
    /// A bid ends in the future, and not in another age.
    #[error("a bid ends in the future, at most 366 days from now")]
    EndsAt,
    /// The desk did not place it.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The key was used for something else.
    #[error(transparent)]
    Once(#[from] OnceError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Places the bid once per key. `render` writes the reply before the bid is placed, because both are kept together.
pub async fn place_bid(
    desk: &BidDesk,
    caller: &Caller,
    key: &Key,
    order: &BidOrder,
    render: impl FnOnce(&Placing) -> Reply,
) -> Result<Reply, PlaceBidError> {
    let now = desk.clock.now();
    let fingerprint = Fingerprint::of("place_bid", order);
    let id = desk.entropy.id(now);
    match desk.catalogue.decide(now, |terms| decide(id, caller, order, terms, now)).await? {
        Ok(placing) => {
            let reply = render(&placing);
            Ok(desk.place(Waiting { placing, key: key.clone(), fingerprint, reply }).await?)
        }
        // What is refused today may have been placed under this key when the terms were others.
        Err(refusal) => desk.replay(caller.organisation, key, &fingerprint).await?.ok_or(refusal),
    }
}

/// Checks the order against the market's terms.
pub(super) fn decide(
    id: BidId,
    caller: &Caller,
    order: &BidOrder,
    terms: &Terms,
    now: OffsetDateTime,
) -> Result<Placing, PlaceBidError> {
    let pool = terms.pool(order.pool, &order.gpu).ok_or(PlaceBidError::NoSuchPool)?;
    let classes: Vec<_> = matching(pool, &order.gpu).collect();
    let (gang, _) = order.gpu.counts();
    let gang =
        i32::try_from(gang).ok().filter(|gang| i64::from(*gang) <= GANG_MAX).ok_or(PlaceBidError::GangTooLarge)?;
    if classes.is_empty() {
        return Err(PlaceBidError::NoSuchClass(Box::new(order.gpu.clone())));
    }
    if order.limit > pool.limit_cap {
        return Err(PlaceBidError::LimitAboveCap { cap: pool.limit_cap });
    }
    let floors: Option<Vec<_>> = classes.iter().map(|class| class.floor).collect();
    if let Some(floor) = floors.and_then(|floors| floors.into_iter().min()).filter(|floor| order.limit < *floor) {
        return Err(PlaceBidError::LimitBelowFloor { floor });
    }
    if order.ends_at.is_some_and(|end| end <= now || end > now + ENDS_WITHIN) {
        return Err(PlaceBidError::EndsAt);
    }
    let hold = hold::required(order.limit, gang, pool.min_run)
        .map_err(|_| PlaceBidError::LimitAboveCap { cap: pool.limit_cap })?;
    let bid = Bid {
        id,
        organisation: caller.organisation,
        pool: pool.id,
        created_by: caller.user,
        request: order.gpu.to_string(),
        classes: classes.iter().map(|class| class.class.id.clone()).collect(),
        gang,
        limit: order.limit,
        command: order.command.as_ref().map(|command| command.as_str().to_owned()),
        reenter: order.reenter,
        ends_at: order.ends_at,
        state: BidState::Open,
        rental: None,
        created_at: now,
        version: 1,
    };
    let prices = classes.iter().map(|class| (class.class.id.clone(), class.price)).collect();
    Ok(Placing { bid, hold, currency: pool.currency.clone(), prices })
}

fn millis<S: Serializer>(instant: &Option<OffsetDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    instant.map(|instant| to_at(instant).millis()).serialize(serializer)
}

#[cfg(test)]
#[path = "place_bid_tests.rs"]
mod tests;
