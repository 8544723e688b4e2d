//! Rentals follow their workloads: what was fetched is pulling, what can be used is running and metered from then on,
//! what finished, failed or vanished ends.

use scheduler::world::ids::RentalId;
use time::{Duration, OffsetDateTime};

use super::end_rentals::{End, end_rentals};
use super::rental_event::rental_event;
use crate::entropy::Entropy;
use crate::rental::{EndReason, Observed, RentalState};
use crate::store::rentals::{self, Rental};
use crate::store::workloads::Due;
use crate::store::{StoreError, Tx, events};

/// Moves rentals on to where their workloads are. Those that moved by themselves meanwhile are passed over.
pub async fn advance_rentals(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    due: &[Due],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let ids: Vec<RentalId> = due.iter().map(|due| due.rental).collect();
    let rentals = rentals::lock_all(tx, &ids).await?;
    let current = |rental: &Rental| due.iter().find(|due| due.rental == rental.id && due.epoch == rental.epoch);
    let decided: Vec<_> =
        rentals.iter().filter_map(|rental| Some((rental, decide(rental, current(rental)?, now)?))).collect();
    let transitions: Vec<_> =
        decided.iter().filter_map(|(rental, next)| next.state.map(|state| (*rental, state))).collect();
    rentals::transition_all(tx, &transitions, now).await?;
    let told: Vec<_> = transitions.iter().map(|(rental, state)| rental_event(entropy, rental, state, now)).collect();
    events::record(tx, &told, now).await?;
    for (_, Next { end, .. }) in decided {
        if let Some((end, until)) = end {
            end_rentals(tx, entropy, &[end], until, now).await?;
        }
    }
    Ok(())
}

/// Ends rentals that did not become usable in time. The meter never ran, so nothing is charged.
pub async fn end_late(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    late: &[RentalId],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    // Between finding it and locking it a rental may have become usable after all.
    let unready = |rental: &Rental| {
        matches!(rental.state, RentalState::Provisioning | RentalState::Pulling | RentalState::Starting)
    };
    let rentals = rentals::lock_all(tx, late).await?;
    let ends: Vec<_> = rentals
        .iter()
        .filter(|rental| unready(rental))
        .map(|rental| End::because(rental.id, EndReason::ProvisioningTimeout))
        .collect();
    end_rentals(tx, entropy, &ends, now, now).await?;
    Ok(())
}

/// A new state, an end with the instant up to which it is billed, or both.
#[derive(Debug, Default, PartialEq, Eq)]
struct Next {
    state: Option<RentalState>,
    end: Option<(End, OffsetDateTime)>,
}

fn decide(rental: &Rental, due: &Due, now: OffsetDateTime) -> Option<Next> {
    if !rental.state.wants_workload() {
        return None;
    }
    let end = |reason| End::because(rental.id, reason);
    if due.vanished {
        return Some(Next { state: None, end: Some((end(EndReason::NodeLost), due.observed_at.unwrap_or(now))) });
    }
    if let Some(progress) = due.observed.progress() {
        let state = rental.state.observe(progress, now).ok()?;
        return (state != rental.state).then_some(Next { state: Some(state), end: None });
    }
    let usable = rental.state.usable_at().is_some() || due.usable_millis > 0;
    let finished = match (due.observed, due.exit_code) {
        (Observed::Exited, Some(0)) => End::of_work(rental.id),
        (Observed::Exited, _) if usable => end(EndReason::Tenant),
        (Observed::Failed, _) if usable => end(EndReason::NodeLost),
        _ => end(EndReason::StartFailed),
    };
    Some(used_and_ended(rental, due, finished, now))
}

/// A workload can be over before anybody saw it run. It was used all the same: it is billed for as long as its node says,
/// counted back from now, and never from before it had its devices.
fn used_and_ended(rental: &Rental, due: &Due, end: End, now: OffsetDateTime) -> Next {
    let used = Duration::milliseconds(due.usable_millis);
    match rental.state.usable_at() {
        Some(usable_at) => Next { state: None, end: Some((end, (usable_at + used).min(now))) },
        None if due.usable_millis > 0 => {
            let usable_at = (now - used).max(rental.state_at);
            let state = rental.state.observe(crate::rental::Observation::Usable, usable_at).ok();
            Next { state, end: Some((end, now)) }
        }
        None => Next { state: None, end: Some((end, now)) },
    }
}
