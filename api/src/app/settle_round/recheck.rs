//! What of a plan is still right, decided on locked rows. Pure: the planner's own predicate says whether a gang fits.

use std::collections::BTreeSet;

use scheduler::RoundRecord;
use scheduler::placement::fit::{Misfit, Need, fit};
use scheduler::plan::{Eviction, Grant};
use scheduler::world::ids::RentalId;
use scheduler::world::{At, DemandId};

use super::touched::{holdings, reprices};
use crate::records::{DropCause, Dropped, Repriced};
use crate::rental::RentalState;
use crate::store::apply::Present;

/// What is to be written, and what is not.
#[derive(Debug, Default)]
pub(super) struct Decision<'a> {
    /// Rentals that end now: their notice has run out, or there is none to give.
    pub ends: BTreeSet<RentalId>,
    /// Rentals that are given notice.
    pub notices: Vec<&'a Eviction>,
    /// Rentals whose price changes.
    pub repriced: Vec<Repriced>,
    /// New gangs.
    pub grants: Vec<&'a Grant>,
    /// What no longer fits.
    pub dropped: Vec<Dropped>,
}

/// Looks at every part of the plan again. What is dropped takes nothing else along: the rest was planned to fit with it,
/// and fits without it.
pub(super) fn recheck<'a>(record: &'a RoundRecord, present: &Present, now: At) -> Decision<'a> {
    let mut decision = Decision::default();
    for release in &record.plan.releases {
        match ended_notice(present, release.rental, now) {
            Ok(()) => drop(decision.ends.insert(release.rental)),
            Err(because) => decision.dropped.push(Dropped { demand: release.demand, because }),
        }
    }
    for eviction in &record.plan.evictions {
        match can_leave(present, eviction.rental) {
            Ok(()) if eviction.notice_until <= record.at => drop(decision.ends.insert(eviction.rental)),
            Ok(()) => decision.notices.push(eviction),
            Err(because) => decision.dropped.push(Dropped { demand: eviction.demand, because }),
        }
    }
    let holdings = holdings(record);
    for grant in &record.plan.grants {
        if let Some(holding) = reprices(grant, &holdings) {
            match can_leave(present, holding.rental) {
                Ok(()) => decision.repriced.push(Repriced {
                    demand: grant.demand,
                    rental: holding.rental,
                    price: grant.price,
                }),
                Err(because) => decision.dropped.push(Dropped { demand: grant.demand, because }),
            }
        } else if !grant.continues {
            match still_fits(record, present, &decision.ends, grant) {
                Ok(()) => decision.grants.push(grant),
                Err(because) => decision.dropped.push(Dropped { demand: grant.demand, because }),
            }
        }
    }
    decision
}

/// A release: the rental is still under the notice that has run out.
fn ended_notice(present: &Present, rental: RentalId, now: At) -> Result<(), DropCause> {
    match present.rentals.get(&rental).map(|rental| &rental.state) {
        Some(RentalState::Notice { until, .. }) if crate::clock::to_at(*until) <= now => Ok(()),
        _ => Err(DropCause::RentalChanged),
    }
}

/// An eviction, or a new price: the rental is under way, and nobody has given it notice or stopped it.
fn can_leave(present: &Present, rental: RentalId) -> Result<(), DropCause> {
    match present.rentals.get(&rental).map(|rental| &rental.state) {
        Some(
            RentalState::Provisioning | RentalState::Pulling | RentalState::Starting | RentalState::Running { .. },
        ) => Ok(()),
        _ => Err(DropCause::RentalChanged),
    }
}

/// A new gang: the demand still waits, its money is still there, and the devices are still as they were planned with.
fn still_fits(
    record: &RoundRecord,
    present: &Present,
    ends: &BTreeSet<RentalId>,
    grant: &Grant,
) -> Result<(), DropCause> {
    let (rules, gang) = (&record.rules, i32::try_from(grant.devices.len()).unwrap_or(i32::MAX));
    let waits = match grant.demand {
        DemandId::OnDemand(rental) => {
            present.rentals.get(&rental).is_some_and(|rental| rental.state == RentalState::Pending)
        }
        DemandId::Bid(_) | DemandId::Job(_) => present.demands.get(&grant.demand).is_some_and(|demand| demand.waits),
    };
    if !waits {
        return Err(DropCause::DemandChanged);
    }
    let needed = grant.price.cost(gang, rules.round).map_err(|_| DropCause::FundsGone)?;
    if present.holds.get(&grant.demand).is_none_or(|hold| hold.remaining < needed) {
        return Err(DropCause::FundsGone);
    }
    let node = present.nodes.get(&grant.node).ok_or(DropCause::DeviceGone)?;
    let posted = matches!(grant.demand, DemandId::OnDemand(_));
    let need =
        Need { class: &grant.class, gang, ceiling: (!posted).then_some(grant.price), until: rules.horizon(record.at) };
    let free = |device| present.holders.get(&device).is_none_or(|holder| ends.contains(holder));
    fit(&need, node, &grant.devices, free).map_err(|misfit| match misfit {
        Misfit::NotForSale | Misfit::AskEnds | Misfit::BelowChunk { .. } | Misfit::FloorTooHigh { .. } => {
            DropCause::AskChanged
        }
        Misfit::NodeNotReady | Misfit::NotWhole | Misfit::Elsewhere(_) | Misfit::NotTraded(_) | Misfit::Taken(_) => {
            DropCause::DeviceGone
        }
    })
}
