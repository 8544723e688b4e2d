//! Rentals end: what they ran up is billed, their devices are freed, their bids and jobs move on, what was held returns.
//! All of it in the caller's transaction, so that no device is ever free and billed, or leased and not billed.
//!
//! Locks are taken in the order rentals, jobs, bids, devices, holds, accounts, each by id, as everywhere. Whoever cancels
//! a bid or a job that has a rental comes here first.

use std::collections::BTreeSet;

use scheduler::world::DemandId;
use scheduler::world::ids::{BidId, JobId, RentalId};
use time::OffsetDateTime;

use super::meter_rentals::meter_rentals;
use super::rental_event::rental_event;
use crate::entropy::Entropy;
use crate::rental::{BidAfter, EndReason, JobAfter, RentalState};
use crate::store::events::{self, NewEvent};
use crate::store::rentals::{self, Origin, Rental};
use crate::store::{StoreError, Tx, demand, holds, leases, reliability};

/// A rental that has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Which.
    pub rental: RentalId,
    /// Why.
    pub reason: EndReason,
    /// Whether its job's work is done. Then the job completes, whatever the reason says.
    pub completes: bool,
}

impl End {
    /// An end for this reason.
    #[must_use]
    pub const fn because(rental: RentalId, reason: EndReason) -> Self {
        Self { rental, reason, completes: false }
    }

    /// The end of a job whose work is done.
    #[must_use]
    pub const fn of_work(rental: RentalId) -> Self {
        Self { rental, reason: EndReason::Tenant, completes: true }
    }
}

/// Ends rentals; what they used is billed up to `until` (or to the node's last word, if that is earlier). Those that have
/// ended already are passed over. Returns the rentals that it ended, as they were before.
pub async fn end_rentals(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    ends: &[End],
    until: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Vec<Rental>, StoreError> {
    let ids: Vec<_> = ends.iter().map(|end| end.rental).collect();
    let locked = rentals::lock_all(tx, &ids).await?;
    let live: Vec<_> = locked.iter().filter(|rental| !rental.state.is_ended()).map(|rental| rental.id).collect();
    if live.is_empty() {
        return Ok(Vec::new());
    }
    let reentering = demand::lock(tx, &live).await?;
    leases::close(tx, &live, now).await?;
    meter_rentals(tx, entropy, &live, until, now).await?;
    // The meters have moved on, and the versions with them.
    let ending: Vec<_> = rentals::lock_all(tx, &live)
        .await?
        .into_iter()
        .filter_map(|rental| Some((*ends.iter().find(|end| end.rental == rental.id)?, rental)))
        .collect();
    let transitions: Vec<_> =
        ending.iter().map(|(end, rental)| (rental, RentalState::Ended { reason: end.reason, at: now })).collect();
    rentals::transition_all(tx, &transitions, now).await?;
    let moved = move_demands_on(tx, &ending, &reentering, now).await?;
    release_holds(tx, entropy, &moved, now).await?;
    events::record(tx, &told(entropy, &moved, now), now).await?;
    reliability::rate(tx, &ratings(&ending)).await?;
    Ok(ending.into_iter().map(|(_, rental)| rental).collect())
}

/// An ended rental, and what became of the demand that it served; `None` if that had moved on by itself.
struct Moved<'a> {
    end: End,
    rental: &'a Rental,
    demand: After,
}

#[derive(Clone, Copy)]
enum After {
    OnDemand,
    Bid(BidId, BidAfter),
    Job(JobId, JobAfter),
    Gone,
}

impl After {
    const fn is_closed(self) -> bool {
        match self {
            Self::OnDemand | Self::Gone => true,
            Self::Bid(_, after) => after.is_closed(),
            Self::Job(_, after) => after.is_closed(),
        }
    }
}

async fn move_demands_on<'a>(
    tx: &mut Tx,
    ending: &'a [(End, Rental)],
    reentering: &BTreeSet<BidId>,
    now: OffsetDateTime,
) -> Result<Vec<Moved<'a>>, StoreError> {
    let after: Vec<_> = ending
        .iter()
        .map(|(end, rental)| match rental.origin {
            Origin::OnDemand { .. } => After::OnDemand,
            Origin::Bid(bid) => After::Bid(bid, BidAfter::of(end.reason, reentering.contains(&bid))),
            Origin::Job(job) if end.completes => After::Job(job, JobAfter::Completed),
            Origin::Job(job) => After::Job(job, JobAfter::of(end.reason)),
        })
        .collect();
    let served = || after.iter().zip(ending);
    let bids: Vec<_> = served()
        .filter_map(
            |(after, (end, _))| if let After::Bid(id, to) = after { Some((*id, end.rental, *to)) } else { None },
        )
        .collect();
    let jobs: Vec<_> = served()
        .filter_map(
            |(after, (end, _))| if let After::Job(id, to) = after { Some((*id, end.rental, *to)) } else { None },
        )
        .collect();
    let left_bids: BTreeSet<_> = demand::leave_bids(tx, &bids, now).await?.into_iter().collect();
    let left_jobs: BTreeSet<_> = demand::leave_jobs(tx, &jobs, now).await?.into_iter().collect();
    let moved = |after: After| match after {
        After::Bid(id, _) if !left_bids.contains(&id) => After::Gone,
        After::Job(id, _) if !left_jobs.contains(&id) => After::Gone,
        after => after,
    };
    Ok(served().map(|(after, (end, rental))| Moved { end: *end, rental, demand: moved(*after) }).collect())
}

async fn release_holds(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    moved: &[Moved<'_>],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let closed = moved.iter().filter(|moved| moved.demand.is_closed());
    let subjects: Vec<DemandId> = closed.map(|moved| moved.rental.demand()).collect();
    for hold in holds::lock_all(tx, &subjects).await? {
        holds::release(tx, &hold, entropy.id(now), "the rental ended", now).await?;
    }
    Ok(())
}

fn told(entropy: &dyn Entropy, moved: &[Moved<'_>], now: OffsetDateTime) -> Vec<NewEvent> {
    let mut told = Vec::new();
    for Moved { end, rental, demand } in moved {
        told.push(rental_event(entropy, rental, &RentalState::Ended { reason: end.reason, at: now }, now));
        let (kind, subject, state) = match demand {
            After::Bid(bid, after) => (after.event(), bid.to_string(), after.as_str()),
            After::Job(job, after) => (after.event(), job.to_string(), after.as_str()),
            After::OnDemand | After::Gone => continue,
        };
        let body = serde_json::json!({ "state": state, "rental_id": rental.id, "reason": end.reason.as_str() });
        let organisation = Some(rental.organisation);
        told.push(NewEvent { id: entropy.id(now), organisation, provider: None, pool: None, kind, subject, body });
    }
    told
}

/// A node that failed a tenant loses reliability; one that served it to the end regains some.
fn ratings(ending: &[(End, Rental)]) -> Vec<(scheduler::world::NodeId, bool)> {
    let rate = |(end, rental): &(End, Rental)| {
        let node = rental.node?;
        match end.reason {
            EndReason::ProvisioningTimeout | EndReason::NodeLost | EndReason::DeviceFault => Some((node, false)),
            _ => rental.usable_at.map(|_| (node, true)),
        }
    };
    ending.iter().filter_map(rate).collect()
}
