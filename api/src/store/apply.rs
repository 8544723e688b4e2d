//! What a round reads under lock before it writes, and what it writes: set-based statements, each guarded by the state
//! that the decision was made on. What to write is decided in `app::settle_round`; nothing here chooses.
//!
//! Locks are taken in one order: the pool's lease row, rentals, jobs, bids, devices, holds, wallets; each by id.

use std::collections::{BTreeMap, BTreeSet};

use scheduler::plan::Standing;
use scheduler::world::ids::{BidId, DeviceId, JobId, NodeId, OrganisationId, PoolId, RentalId, TransferId};
use scheduler::world::money::{Micros, PricePerHour};
use scheduler::world::{DemandId, Node};
use sqlx::types::Json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::ledger::Posting;
use super::rentals::{self, Rental};
use super::{StoreError, Tx, holds, ledger, metering, snapshot};
use crate::clock::from_at;
use crate::ledger::hold::{self, Hold};
use crate::records::Repriced;

/// The rows that a round is going to touch.
#[derive(Debug, Default)]
pub struct Touched {
    /// Rentals that it ends, warns, prices anew or places.
    pub rentals: BTreeSet<RentalId>,
    /// Jobs: all of them, for their progress is told anew.
    pub jobs: BTreeSet<JobId>,
    /// Bids that it gives devices.
    pub bids: BTreeSet<BidId>,
    /// Nodes of new gangs.
    pub nodes: BTreeSet<NodeId>,
    /// Devices of new gangs.
    pub devices: BTreeSet<DeviceId>,
    /// Demands whose set-aside money it counts on or changes.
    pub holds: BTreeSet<DemandId>,
}

/// Those rows as they are now, locked until the transaction ends.
#[derive(Debug)]
pub struct Present {
    /// The rentals.
    pub rentals: BTreeMap<RentalId, Rental>,
    /// The jobs and bids.
    pub demands: BTreeMap<DemandId, DemandNow>,
    /// The nodes, with all their devices and live asks.
    pub nodes: BTreeMap<NodeId, Node>,
    /// Who holds the devices; nobody holds those that are missing.
    pub holders: BTreeMap<DeviceId, RentalId>,
    /// What is set aside.
    pub holds: BTreeMap<DemandId, Hold>,
    /// What the owners of those holds have available, by organisation and currency.
    pub wallets: BTreeMap<(OrganisationId, String), Micros>,
}

/// A bid or a job as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemandNow {
    /// Who pays.
    pub owner: OrganisationId,
    /// Whether it waits for devices.
    pub waits: bool,
    /// What to run for it.
    pub command: Option<String>,
}

/// Locks and loads the rows. Each statement sees what was committed before it began, so a row is read after its lock.
pub async fn lock(tx: &mut Tx, pool: PoolId, touched: &Touched, now: OffsetDateTime) -> Result<Present, StoreError> {
    let rentals = rentals::lock_all(tx, &Vec::from_iter(touched.rentals.iter().copied())).await?;
    let mut demands = lock_jobs(tx, &touched.jobs).await?;
    demands.extend(lock_bids(tx, &touched.bids).await?);
    let holders = lock_devices(tx, &touched.devices).await?;
    let nodes = snapshot::nodes(tx, pool, Some(&touched.nodes), now).await?;
    let holds = holds(tx, &touched.holds).await?;
    let payers: BTreeSet<_> = holds.values().map(|hold| hold.organisation).collect();
    let wallets = metering::lock_wallets(tx, &Vec::from_iter(payers)).await?;
    Ok(Present {
        rentals: rentals.into_iter().map(|rental| (rental.id, rental)).collect(),
        demands,
        nodes: nodes.into_iter().map(|node| (node.id, node)).collect(),
        holders,
        holds,
        wallets: wallets.into_iter().map(|(owner, currency, available)| ((owner, currency), available)).collect(),
    })
}

async fn lock_jobs(tx: &mut Tx, ids: &BTreeSet<JobId>) -> Result<BTreeMap<DemandId, DemandNow>, StoreError> {
    let rows: Vec<(Uuid, Uuid, bool, Option<String>)> = sqlx::query_as(
        "SELECT id, organisation_id, state IN ('queued', 'preempted'), command FROM jobs
         WHERE id = ANY($1) ORDER BY id FOR UPDATE",
    )
    .bind(ids.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let now = |(id, owner, waits, command): (Uuid, Uuid, bool, Option<String>)| {
        (DemandId::Job(id.into()), DemandNow { owner: owner.into(), waits, command })
    };
    Ok(rows.into_iter().map(now).collect())
}

async fn lock_bids(tx: &mut Tx, ids: &BTreeSet<BidId>) -> Result<BTreeMap<DemandId, DemandNow>, StoreError> {
    let rows: Vec<(Uuid, Uuid, bool, Option<String>)> = sqlx::query_as(
        "SELECT id, organisation_id, state IN ('open', 'paused'), command FROM bids
         WHERE id = ANY($1) ORDER BY id FOR UPDATE",
    )
    .bind(ids.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let now = |(id, owner, waits, command): (Uuid, Uuid, bool, Option<String>)| {
        (DemandId::Bid(id.into()), DemandNow { owner: owner.into(), waits, command })
    };
    Ok(rows.into_iter().map(now).collect())
}

async fn lock_devices(tx: &mut Tx, ids: &BTreeSet<DeviceId>) -> Result<BTreeMap<DeviceId, RentalId>, StoreError> {
    let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
    sqlx::query("SELECT id FROM devices WHERE id = ANY($1) ORDER BY id FOR UPDATE")
        .bind(&ids)
        .execute(tx.conn())
        .await?;
    let rows: Vec<(Uuid, Uuid)> =
        sqlx::query_as("SELECT device_id, rental_id FROM leases WHERE device_id = ANY($1) AND upper_inf(during)")
            .bind(&ids)
            .fetch_all(tx.conn())
            .await?;
    Ok(rows.into_iter().map(|(device, rental)| (device.into(), rental.into())).collect())
}

/// What is set aside for these demands, locked.
pub async fn holds(tx: &mut Tx, subjects: &BTreeSet<DemandId>) -> Result<BTreeMap<DemandId, Hold>, StoreError> {
    let holds = holds::lock_all(tx, &Vec::from_iter(subjects.iter().copied())).await?;
    Ok(holds.into_iter().map(|hold| (hold.subject, hold)).collect())
}

/// A change of what is set aside.
#[derive(Debug)]
pub struct Adjustment<'a> {
    /// Identity of the transfer.
    pub transfer: TransferId,
    /// The hold.
    pub hold: &'a Hold,
    /// Set aside in addition, out of the wallet; given back when negative.
    pub by: Micros,
    /// Why, in words.
    pub reason: &'static str,
}

/// Changes holds and moves the money, in two statements.
pub async fn adjust_holds(tx: &mut Tx, adjustments: &[Adjustment<'_>], now: OffsetDateTime) -> Result<(), StoreError> {
    if adjustments.is_empty() {
        return Ok(());
    }
    let change = |one: &Adjustment<'_>| holds::Change { id: one.hold.id, version: one.hold.version, by: one.by };
    holds::change(tx, &Vec::from_iter(adjustments.iter().map(change))).await?;
    let posting = |one: &Adjustment<'_>| {
        let (owner, subject) = (one.hold.organisation, one.hold.subject);
        let transfer = match Micros::ZERO.checked_sub(one.by) {
            Some(back) if back > Micros::ZERO => hold::give_back(owner, subject, back, one.reason),
            _ => hold::set_aside(owner, subject, one.by, one.reason),
        };
        Posting { id: one.transfer, transfer, currency: one.hold.currency.clone() }
    };
    ledger::post_all(tx, &Vec::from_iter(adjustments.iter().map(posting)), now).await
}

/// Bids that got a rental.
pub async fn allocate_bids(tx: &mut Tx, bids: &[(BidId, RentalId)]) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE bids SET state = 'allocated', rental_id = g.rental_id, version = version + 1
         FROM unnest($1::uuid[], $2::uuid[]) AS g (bid_id, rental_id)
         WHERE bids.id = g.bid_id AND bids.state IN ('open', 'paused')",
    )
    .bind(bids.iter().map(|(bid, _)| bid.uuid()).collect::<Vec<_>>())
    .bind(bids.iter().map(|(_, rental)| rental.uuid()).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    all("allocation of bids", bids.len(), result.rows_affected())
}

/// Jobs that got a rental.
pub async fn start_jobs(tx: &mut Tx, jobs: &[(JobId, RentalId)]) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE jobs SET state = 'running', rental_id = g.rental_id, version = version + 1
         FROM unnest($1::uuid[], $2::uuid[]) AS g (job_id, rental_id)
         WHERE jobs.id = g.job_id AND jobs.state IN ('queued', 'preempted')",
    )
    .bind(jobs.iter().map(|(job, _)| job.uuid()).collect::<Vec<_>>())
    .bind(jobs.iter().map(|(_, rental)| rental.uuid()).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    all("start of jobs", jobs.len(), result.rows_affected())
}

/// Bids whose rentals were given notice.
pub async fn warn_bids(tx: &mut Tx, rentals: &[RentalId]) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE bids SET state = 'notice', version = version + 1 WHERE rental_id = ANY($1) AND state = 'allocated'",
    )
    .bind(rentals.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Bids whose money does not cover a round pause; those of `funded` that were paused wait in the book again.
pub async fn pause_bids(tx: &mut Tx, short: &[BidId], funded: &[BidId]) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE bids SET state = CASE state WHEN 'open' THEN 'paused' ELSE 'open' END, version = version + 1
         WHERE (id = ANY($1) AND state = 'open') OR (id = ANY($2) AND state = 'paused')",
    )
    .bind(short.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .bind(funded.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// New prices of running rentals. Their meters must have been read at the old price, in this transaction.
pub async fn reprice(tx: &mut Tx, prices: &[Repriced]) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE rentals SET price_micros_per_hour = p.price, paid_until = NULL, version = version + 1
         FROM unnest($1::uuid[], $2::bigint[]) AS p (rental_id, price)
         WHERE rentals.id = p.rental_id AND rentals.state IN ('provisioning', 'pulling', 'starting', 'running')",
    )
    .bind(prices.iter().map(|one| one.rental.uuid()).collect::<Vec<_>>())
    .bind(prices.iter().map(|one| PricePerHour::micros(one.price)).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    all("new prices", prices.len(), result.rows_affected())
}

/// Progress and fairness of jobs, and which of the closed ones can be forgotten.
pub async fn advance_jobs(tx: &mut Tx, standings: &[Standing], now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE jobs SET done_milliunits = greatest(done_milliunits, s.done), reference_milliunits = s.reference, fairness = s.fairness,
                advanced_at = s.advanced_at, rho_ppm = s.rho_ppm, lag_millis = s.lag_millis, settled_at = CASE WHEN s.settled AND closed_at IS NOT NULL THEN $7::timestamptz END,
                version = version + 1
         FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::timestamptz[], $6::boolean[], $8::bigint[], $9::bigint[])
              AS s (job_id, done, reference, fairness, advanced_at, settled, rho_ppm, lag_millis)
         WHERE jobs.id = s.job_id",
    )
    .bind(standings.iter().map(|one| one.job.uuid()).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| one.done).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| one.reference).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| Json(&one.state)).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| from_at(one.advanced_at)).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| one.settled).collect::<Vec<_>>())
    .bind(now)
    .bind(standings.iter().map(|one| one.rho_ppm).collect::<Vec<_>>())
    .bind(standings.iter().map(|one| one.lag_millis).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Every row of a guarded batch must have been as it was when it was locked.
fn all(what: &'static str, expected: usize, touched: u64) -> Result<(), StoreError> {
    if usize::try_from(touched) == Ok(expected) { Ok(()) } else { Err(StoreError::Stale { what, touched }) }
}
