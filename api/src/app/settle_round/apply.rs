//! The guarded transaction of a round.
//!
//! Whatever is written here is written together with the record that says so. The exclusion constraint on leases, the
//! deferred check of every transfer and the chain's head are the last line of defence: they refuse the whole round.

use std::collections::{BTreeMap, BTreeSet};

use scheduler::plan::Grant;
use scheduler::record::text_hash;
use scheduler::world::DemandId;
use scheduler::world::ids::{BidId, OrganisationId, RentalId};
use scheduler::{Code, RoundRecord, canonical};
use time::OffsetDateTime;

use super::recheck::{Decision, recheck};
use super::{SettleError, Settled, money, told, touched};
use crate::app::end_rentals::{End, end_rentals};
use crate::app::meter_rentals::meter_rentals;
use crate::clock::{from_at, to_at};
use crate::entropy::Entropy;
use crate::records::{Applied, Cause, DropCause, Dropped, Granted, Header, Summary};
use crate::rental::EndReason;
use crate::store::apply::{self, Present};
use crate::store::pool_leases::{self, Head, Leadership};
use crate::store::rentals::{self, NewRental, Origin, Placement};
use crate::store::{StoreError, Tx, events, explanations, prices, rounds};

/// A round that was planned and verified.
pub(super) struct Round {
    pub record: RoundRecord,
    pub cause: Cause,
    pub plan_millis: i32,
}

/// A new gang, with the rental that serves it.
pub(super) struct Placed<'a> {
    pub grant: &'a Grant,
    pub rental: RentalId,
    pub owner: OrganisationId,
}

pub(super) async fn apply(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    leadership: Leadership,
    round: Round,
    now: OffsetDateTime,
) -> Result<Settled, SettleError> {
    let record = &round.record;

    // Only the leader writes, and one round follows the other.
    let head = pool_leases::prove(tx, leadership).await?.ok_or(SettleError::Superseded)?;
    if head.number + 1 != record.number {
        return Err(SettleError::Superseded);
    }

    // What the plan touches, as it is now; and what of the plan is still right.
    let present = apply::lock(tx, record.pool, &touched::touched(record), now).await?;
    let mut decision = recheck(record, &present, to_at(now));

    // Those who leave, those who stay at another price, those who come.
    let ends: Vec<_> = decision.ends.iter().map(|rental| End::because(*rental, EndReason::Preempted)).collect();
    end_rentals(tx, entropy, &ends, now, now).await?;
    warn(tx, &decision, &present, now).await?;
    reprice(tx, entropy, &mut decision, now).await?;
    let placed = place(tx, entropy, record, &decision, &present, now).await?;

    // Their money, and everybody's standing.
    money::settle(tx, entropy, record, &present, &placed, now).await?;
    pause(tx, record, &placed).await?;
    apply::advance_jobs(tx, &record.plan.fairness, now).await?;

    // The books.
    let applied = Applied {
        at: to_at(now),
        granted: placed.iter().map(Placed::told).collect(),
        repriced: decision.repriced.clone(),
        noticed: decision.notices.iter().map(|eviction| eviction.rental).collect(),
        released: decision.ends.iter().copied().collect(),
        dropped: decision.dropped.clone(),
    };
    explain(tx, record).await?;
    events::record(tx, &told::told(entropy, record, &decision, &placed, now), now).await?;
    write_round(tx, entropy, leadership, head, &round, applied, now).await
}

async fn warn(tx: &mut Tx, decision: &Decision<'_>, present: &Present, now: OffsetDateTime) -> Result<(), StoreError> {
    let refused = |error| StoreError::corrupt("rental state", error);
    let mut warned = Vec::new();
    for eviction in &decision.notices {
        if let Some(rental) = present.rentals.get(&eviction.rental) {
            let until = from_at(eviction.notice_until);
            warned.push((rental, rental.state.give_notice(until).map_err(refused)?));
        }
    }
    rentals::transition_all(tx, &warned, now).await?;
    apply::warn_bids(tx, &Vec::from_iter(decision.notices.iter().map(|eviction| eviction.rental))).await
}

/// The meter is read at the old price before the new one is written. Where money ends before `now`, so does the rental,
/// and it keeps the price that it could not pay.
async fn reprice(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    decision: &mut Decision<'_>,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let rentals: Vec<_> = decision.repriced.iter().map(|one| one.rental).collect();
    let metered = meter_rentals(tx, entropy, &rentals, now, now).await?;
    let stops = metered.iter().filter(|metering| metering.charge.stop.is_some());
    let stops: BTreeSet<_> = stops.map(|metering| metering.rental).collect();
    for stopped in decision.repriced.extract_if(.., |one| stops.contains(&one.rental)) {
        decision.dropped.push(Dropped { demand: stopped.demand, because: DropCause::FundsGone });
    }
    apply::reprice(tx, &decision.repriced).await
}

async fn place<'a>(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    record: &RoundRecord,
    decision: &Decision<'a>,
    present: &Present,
    now: OffsetDateTime,
) -> Result<Vec<Placed<'a>>, StoreError> {
    let (mut placed, mut new) = (Vec::new(), Vec::new());
    let (mut bids, mut jobs) = (Vec::new(), Vec::new());
    for grant in decision.grants.iter().copied() {
        let Some(node) = present.nodes.get(&grant.node) else { continue };
        let devices = grant.devices.iter().map(|device| (*device, entropy.id(now))).collect();
        let placement = Placement { node: node.id, provider: node.provider, devices };
        let origin = match grant.demand {
            DemandId::OnDemand(id) => {
                let Some(rental) = present.rentals.get(&id) else { continue };
                rentals::place(tx, rental, &placement, now).await?;
                placed.push(Placed { grant, rental: id, owner: rental.organisation });
                continue;
            }
            DemandId::Bid(bid) => Origin::Bid(bid),
            DemandId::Job(job) => Origin::Job(job),
        };
        let Some(demand) = present.demands.get(&grant.demand) else { continue };
        let rental: RentalId = entropy.id(now);
        match origin {
            Origin::Bid(bid) => bids.push((bid, rental)),
            Origin::Job(job) => jobs.push((job, rental)),
            Origin::OnDemand { .. } => {}
        }
        placed.push(Placed { grant, rental, owner: demand.owner });
        new.push(NewRental {
            id: rental,
            organisation: demand.owner,
            pool: record.pool,
            class: grant.class.clone(),
            origin,
            gang: i32::try_from(grant.devices.len()).unwrap_or(i32::MAX),
            command: demand.command.clone(),
            price: grant.price,
            fee_bps: record.rules.fee_bps,
            max_duration_seconds: None,
            max_spend: None,
            placement: Some(placement),
        });
    }
    rentals::insert(tx, &new, now).await?;
    apply::allocate_bids(tx, &bids).await?;
    apply::start_jobs(tx, &jobs).await?;
    Ok(placed)
}

/// Bids whose money does not cover a round step aside until it does.
async fn pause(tx: &mut Tx, record: &RoundRecord, placed: &[Placed<'_>]) -> Result<(), StoreError> {
    let running: BTreeSet<_> = placed.iter().map(|placed| placed.grant.demand).collect();
    let (mut short, mut funded): (Vec<BidId>, Vec<BidId>) = (Vec::new(), Vec::new());
    for one in &record.plan.explanations {
        match one.demand {
            DemandId::Bid(bid) if one.code == Code::BudgetPaused => short.push(bid),
            DemandId::Bid(bid) if !running.contains(&one.demand) => funded.push(bid),
            _ => {}
        }
    }
    apply::pause_bids(tx, &short, &funded).await
}

async fn explain(tx: &mut Tx, record: &RoundRecord) -> Result<(), StoreError> {
    let owners: BTreeMap<_, _> = record.snapshot.demands.iter().map(|demand| (demand.id(), demand.owner)).collect();
    let explained = record.plan.explanations.iter().filter_map(|one| Some((*owners.get(&one.demand)?, one)));
    let explained: Vec<_> = explained.collect();
    explanations::upsert(tx, record.pool, record.number, &explained, from_at(record.at)).await
}

async fn write_round(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    leadership: Leadership,
    head: Head,
    round: &Round,
    applied: Applied,
    now: OffsetDateTime,
) -> Result<Settled, SettleError> {
    let Round { record, cause, plan_millis } = round;
    let unwritable = |error| StoreError::corrupt("record of a round", error);
    let id = entropy.id(now);
    let about = (*cause, leadership.fencing_token, *plan_millis);
    let (header, texts) = Header::new(id, about, record, &applied).map_err(unwritable)?;
    let header_text = canonical(&header).map_err(unwritable)?;
    let plan_hash = text_hash(&canonical(&record.plan).map_err(unwritable)?);
    let cleared_at = from_at(record.at);
    let row = rounds::NewRound { header: &header, header_text: &header_text, texts: &texts, cleared_at, plan_hash };
    rounds::insert(tx, leadership, head, &row).await?;
    let lines = Summary::of(&record.plan, &applied).prices;
    prices::insert(tx, record.pool, record.number, &lines, cleared_at).await?;
    Ok(Settled { id, number: record.number, applied })
}

impl Placed<'_> {
    fn told(&self) -> Granted {
        Granted { demand: self.grant.demand, rental: self.rental, devices: self.grant.devices.clone() }
    }
}
