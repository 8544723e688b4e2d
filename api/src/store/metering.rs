//! Meters in batches: what is loaded and locked before a charge, and what is written after it.
//!
//! Lock order of every transaction that charges: rentals, jobs, holds, accounts, each by id.

use scheduler::world::At;
use scheduler::world::DemandId;
use scheduler::world::ids::{BidId, HoldId, JobId, NodeId, OrganisationId, PoolId, RentalId, UsageId};
use scheduler::world::money::{Micros, PricePerHour, Residue};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::ledger::Posting;
use super::{StoreError, Tx, holds, ledger};
use crate::clock::{from_at, to_at};
use crate::ledger::hold::Hold;
use crate::ledger::meter::{Charge, Meter};

/// The latest instant that is written: the end of the year 9999. Money that lasts longer lasts until then.
const LATEST: At = At::from_millis(253_402_300_799_000);

/// A running meter with what surrounds it.
#[derive(Debug, Clone)]
pub struct Metered {
    /// What is billed.
    pub meter: Meter,
    /// The rental's version, for the guarded write.
    pub version: i64,
    /// The pool it runs in.
    pub pool: PoolId,
    /// The currency of its prices.
    pub currency: String,
    /// The node it runs on.
    pub node: NodeId,
    /// The class of its devices.
    pub class: String,
    /// The node's last word, for nodes that speak, and the end of the notice: nothing later than this is billed.
    pub covered_to: Option<OffsetDateTime>,
}

/// The meters of these rentals that are running, locked.
pub async fn lock(tx: &mut Tx, rentals: &[RentalId]) -> Result<Vec<Metered>, StoreError> {
    let ids: Vec<_> = rentals.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query(
        "SELECT r.id, r.organisation_id, r.pool_id, r.provider_id, r.node_id, r.class_id, r.bid_id, r.job_id, r.gang,
                r.price_micros_per_hour, r.fee_bps, r.metered_to, r.meter_residue, r.charged_micros, r.max_spend_micros,
                r.max_duration_seconds, r.usable_at, r.version, p.currency,
                least(CASE WHEN n.adapter = 'agent' THEN n.heartbeat_at END, r.notice_until) AS covered_to
         FROM rentals r JOIN pools p ON p.id = r.pool_id JOIN nodes n ON n.id = r.node_id
         WHERE r.id = ANY($1) AND r.state IN ('running', 'notice') AND r.metered_to IS NOT NULL
         ORDER BY r.id FOR UPDATE OF r",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    let metered: Vec<_> = rows.iter().map(metered).collect::<Result<_, _>>()?;
    lock_jobs(tx, &metered).await?;
    Ok(metered)
}

async fn lock_jobs(tx: &mut Tx, metered: &[Metered]) -> Result<(), StoreError> {
    let jobs: Vec<_> = metered.iter().filter_map(|metered| job(metered.meter.subject)).collect();
    if !jobs.is_empty() {
        sqlx::query("SELECT id FROM jobs WHERE id = ANY($1) ORDER BY id FOR UPDATE")
            .bind(jobs)
            .execute(tx.conn())
            .await?;
    }
    Ok(())
}

/// Available balances by organisation and currency, locked together with the held ones.
pub async fn lock_wallets(
    tx: &mut Tx,
    organisations: &[OrganisationId],
) -> Result<Vec<(OrganisationId, String, Micros)>, StoreError> {
    let ids: Vec<_> = organisations.iter().map(|id| id.uuid()).collect();
    let rows: Vec<(Uuid, String, String, i64)> = sqlx::query_as(
        "SELECT organisation_id, currency, kind, balance_micros FROM accounts
         WHERE organisation_id = ANY($1) ORDER BY id FOR UPDATE",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    let available = rows.into_iter().filter(|(_, _, kind, _)| kind == "tenant_available");
    Ok(available.map(|(id, currency, _, balance)| (id.into(), currency, Micros::new(balance))).collect())
}

/// One rental's charge, ready to be written.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// The meter it was decided on.
    pub metered: Metered,
    /// What was decided.
    pub charge: Charge,
    /// The hold that pays.
    pub hold: Hold,
    /// Identity of the interval.
    pub usage: UsageId,
    /// The payment and, where it is due, the top-up.
    pub payment: Option<Posting>,
    /// Money moved from the wallet into the hold first.
    pub top_up: Option<Posting>,
}

/// Writes charges: money, intervals, meters, holds, jobs' spending — one statement each for the whole batch.
pub async fn settle(tx: &mut Tx, settlements: &[Settlement], now: OffsetDateTime) -> Result<(), StoreError> {
    let due: Vec<_> = settlements.iter().filter(|settlement| !settlement.charge.is_empty()).collect();
    advance(tx, &due).await?;
    holds::change(tx, &hold_changes(settlements)?).await?;
    let postings: Vec<_> = settlements
        .iter()
        .flat_map(|settlement| [settlement.top_up.clone(), settlement.payment.clone()])
        .flatten()
        .collect();
    ledger::post_all(tx, &postings, now).await?;
    insert_intervals(tx, &due, now).await
}

/// Moves the meters, and what the jobs have spent.
async fn advance(tx: &mut Tx, due: &[&Settlement]) -> Result<(), StoreError> {
    let result = sqlx::query(
        "WITH charges AS (
             SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::uuid[], $7::timestamptz[])
                 AS c (rental_id, version, metered_to, residue, amount, job_id, paid_until)
         ), spent AS (
             UPDATE jobs SET spent_micros = spent_micros + c.amount, version = version + 1
             FROM (SELECT job_id, sum(amount)::bigint AS amount FROM charges WHERE job_id IS NOT NULL GROUP BY job_id) AS c
             WHERE jobs.id = c.job_id
         )
         UPDATE rentals SET metered_to = c.metered_to, meter_residue = c.residue,
                charged_micros = charged_micros + c.amount, paid_until = c.paid_until, version = rentals.version + 1
         FROM charges c
         WHERE rentals.id = c.rental_id AND rentals.version = c.version AND rentals.state IN ('running', 'notice')",
    )
    .bind(due.iter().map(|due| due.metered.meter.rental.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.version).collect::<Vec<_>>())
    .bind(due.iter().map(|due| from_at(due.charge.to)).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.charge.residue.raw()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.charge.amount.get()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| job(due.metered.meter.subject)).collect::<Vec<_>>())
    .bind(due.iter().map(|due| from_at(due.charge.lasts_until.min(LATEST))).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    match usize::try_from(result.rows_affected()) {
        Ok(touched) if touched == due.len() => Ok(()),
        _ => Err(StoreError::Stale { what: "advance meters", touched: result.rows_affected() }),
    }
}

async fn insert_intervals(tx: &mut Tx, due: &[&Settlement], now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO usage_intervals (id, organisation_id, pool_id, provider_id, rental_id, node_id, class_id, devices,
                price_micros_per_hour, starts_at, ends_at, amount_micros, fee_micros, transfer_id, created_at)
         SELECT u.*, $15
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::int[],
                $9::bigint[], $10::timestamptz[], $11::timestamptz[], $12::bigint[], $13::bigint[], $14::uuid[]) AS u",
    )
    .bind(due.iter().map(|due| due.usage.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.meter.organisation.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.pool.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.meter.provider.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.meter.rental.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.node.uuid()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.class.as_str()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.meter.devices).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.metered.meter.price.micros()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| from_at(due.charge.from)).collect::<Vec<_>>())
    .bind(due.iter().map(|due| from_at(due.charge.to)).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.charge.amount.get()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.charge.fee.get()).collect::<Vec<_>>())
    .bind(due.iter().map(|due| due.payment.as_ref().map(|payment| payment.id.uuid())).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

fn hold_changes(settlements: &[Settlement]) -> Result<Vec<holds::Change>, StoreError> {
    let mut changes = std::collections::BTreeMap::<HoldId, holds::Change>::new();
    for Settlement { hold, charge, .. } in settlements {
        let change =
            changes.entry(hold.id).or_insert(holds::Change { id: hold.id, version: hold.version, by: Micros::ZERO });
        change.by = change
            .by
            .checked_add(charge.top_up)
            .and_then(|sum| sum.checked_sub(charge.amount))
            .ok_or_else(|| StoreError::corrupt("hold", "its changes overflow"))?;
    }
    Ok(changes.into_values().filter(|change| change.by != Micros::ZERO).collect())
}

const fn job(subject: DemandId) -> Option<Uuid> {
    match subject {
        DemandId::Job(job) => Some(job.uuid()),
        DemandId::Bid(_) | DemandId::OnDemand(_) => None,
    }
}

fn metered(row: &PgRow) -> Result<Metered, StoreError> {
    let rental = RentalId::from(row.try_get::<Uuid, _>("id")?);
    let bid = row.try_get::<Option<Uuid>, _>("bid_id")?.map(|id| DemandId::Bid(BidId::from(id)));
    let job = row.try_get::<Option<Uuid>, _>("job_id")?.map(|id| DemandId::Job(JobId::from(id)));
    let usable_at: Option<OffsetDateTime> = row.try_get("usable_at")?;
    let bound: Option<i64> = row.try_get("max_duration_seconds")?;
    let price = row.try_get("price_micros_per_hour")?;
    let residue = row.try_get("meter_residue")?;
    let meter = Meter {
        rental,
        organisation: row.try_get::<Uuid, _>("organisation_id")?.into(),
        provider: row.try_get::<Uuid, _>("provider_id")?.into(),
        subject: bid.or(job).unwrap_or(DemandId::OnDemand(rental)),
        price: PricePerHour::from_micros(price).map_err(|error| StoreError::corrupt("price", error))?,
        devices: row.try_get("gang")?,
        fee_bps: row.try_get("fee_bps")?,
        metered_to: to_at(row.try_get("metered_to")?),
        residue: Residue::from_raw(residue).map_err(|error| StoreError::corrupt("meter residue", error))?,
        charged: Micros::new(row.try_get("charged_micros")?),
        max_spend: row.try_get::<Option<i64>, _>("max_spend_micros")?.map(Micros::new),
        ends_at: usable_at.zip(bound).and_then(|(at, bound)| at.checked_add(Duration::seconds(bound))).map(to_at),
    };
    Ok(Metered {
        meter,
        version: row.try_get("version")?,
        pool: row.try_get::<Uuid, _>("pool_id")?.into(),
        currency: row.try_get("currency")?,
        node: row.try_get::<Uuid, _>("node_id")?.into(),
        class: row.try_get("class_id")?,
        covered_to: row.try_get("covered_to")?,
    })
}

/// Running meters that are due at `now`: not read since `read_before`, never read at the present price, or out of money.
/// A node's silence stops its meters: what cannot be billed yet is not due.
pub async fn due(
    tx: &mut Tx,
    now: OffsetDateTime,
    read_before: OffsetDateTime,
    rows: i64,
) -> Result<Vec<RentalId>, StoreError> {
    let due: Vec<Uuid> = sqlx::query_scalar(
        "SELECT r.id FROM rentals r JOIN nodes n ON n.id = r.node_id
         CROSS JOIN LATERAL (SELECT CASE WHEN n.adapter = 'agent' THEN least(n.heartbeat_at, $1) ELSE $1 END AS covered_to) AS c
         WHERE r.state <> 'ended' AND r.state IN ('running', 'notice') AND r.metered_to < c.covered_to
           AND (r.metered_to <= c.covered_to - ($1 - $2) OR r.paid_until IS NULL OR r.paid_until <= c.covered_to)
         ORDER BY r.metered_to, r.id LIMIT $3",
    )
    .bind(now)
    .bind(read_before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(due.into_iter().map(Into::into).collect())
}
