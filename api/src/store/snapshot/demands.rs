//! Who wants what: waiting on-demand claims, live bids, live jobs, and closed jobs whose share has not caught up.

use std::collections::BTreeMap;

use scheduler::world::ids::{AskId, BidId, JobId, NodeId, OrganisationId, PoolId, RentalId};
use scheduler::world::{
    Bid, ClassId, ClassSpeed, Demand, Departed, Job, JobFairness, Micros, OnDemand, PricePerHour, Want,
};
use sqlx::types::Json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::super::{StoreError, Tx};
use super::valid;
use crate::clock::to_at;
use crate::job::unprofiled_speed;

#[derive(sqlx::FromRow)]
struct ClaimRow {
    #[sqlx(try_from = "Uuid")]
    id: RentalId,
    #[sqlx(try_from = "Uuid")]
    organisation_id: OrganisationId,
    #[sqlx(try_from = "Uuid")]
    ask_id: AskId,
    #[sqlx(try_from = "Uuid")]
    node_id: NodeId,
    class_id: String,
    gang: i32,
    price_micros_per_hour: i64,
    created_at: OffsetDateTime,
}

/// On-demand rentals that wait for devices.
pub(super) async fn on_demand(tx: &mut Tx, pool: PoolId) -> Result<Vec<Demand>, StoreError> {
    let rows: Vec<ClaimRow> = sqlx::query_as(
        "SELECT r.id, r.organisation_id, r.ask_id, a.node_id, r.class_id, r.gang, r.price_micros_per_hour, r.created_at
         FROM rentals r JOIN asks a ON a.id = r.ask_id
         WHERE r.pool_id = $1 AND r.state = 'pending' AND r.kind = 'on_demand'",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    let demand = |row: ClaimRow| {
        let want = Want::OnDemand(OnDemand {
            rental: row.id,
            ask: row.ask_id,
            node: row.node_id,
            class: class(&row.class_id)?,
            gang: row.gang,
            price: valid("price", PricePerHour::from_micros(row.price_micros_per_hour))?,
        });
        Ok(Demand { owner: row.organisation_id, arrived_at: to_at(row.created_at), want })
    };
    rows.into_iter().map(demand).collect()
}

#[derive(sqlx::FromRow)]
struct BidRow {
    #[sqlx(try_from = "Uuid")]
    id: BidId,
    #[sqlx(try_from = "Uuid")]
    organisation_id: OrganisationId,
    class_ids: Vec<String>,
    gang: i32,
    limit_micros_per_hour: i64,
    held_micros: i64,
    ends_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

/// Bids that are open, running, under notice or paused, with what is set aside for them.
pub(super) async fn bids(tx: &mut Tx, pool: PoolId) -> Result<Vec<Demand>, StoreError> {
    let rows: Vec<BidRow> = sqlx::query_as(
        "SELECT b.id, b.organisation_id, b.class_ids, b.gang, b.limit_micros_per_hour, b.ends_at, b.created_at,
                coalesce(h.remaining_micros, 0) AS held_micros
         FROM bids b LEFT JOIN holds h ON h.subject = 'bid_' || replace(b.id::text, '-', '')
         WHERE b.pool_id = $1 AND b.closed_at IS NULL",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    let demand = |row: BidRow| {
        let want = Want::Bid(Bid {
            bid: row.id,
            classes: row.class_ids.iter().map(|id| class(id)).collect::<Result<_, _>>()?,
            gang: row.gang,
            limit: valid("limit", PricePerHour::from_micros(row.limit_micros_per_hour))?,
            funds: Micros::new(row.held_micros),
            ends_at: row.ends_at.map(to_at),
        });
        Ok(Demand { owner: row.organisation_id, arrived_at: to_at(row.created_at), want })
    };
    rows.into_iter().map(demand).collect()
}

#[derive(sqlx::FromRow)]
struct JobRow {
    #[sqlx(try_from = "Uuid")]
    id: JobId,
    #[sqlx(try_from = "Uuid")]
    organisation_id: OrganisationId,
    profiled: bool,
    class_ids: Vec<String>,
    gang: i32,
    weight_milli: i32,
    work_milliunits: i64,
    done_milliunits: i64,
    reference_milliunits: i64,
    fairness: Json<JobFairness>,
    budget_left_micros: i64,
    advanced_at: OffsetDateTime,
    created_at: OffsetDateTime,
}

/// Jobs that are queued, running or preempted, with their measured speeds.
pub(super) async fn jobs(tx: &mut Tx, pool: PoolId) -> Result<Vec<Demand>, StoreError> {
    let rows: Vec<JobRow> = sqlx::query_as(
        "SELECT id, organisation_id, profile_id IS NOT NULL AS profiled, class_ids, gang, weight_milli, work_milliunits, done_milliunits,
                reference_milliunits, fairness, budget_micros - spent_micros AS budget_left_micros, advanced_at, created_at
         FROM jobs WHERE pool_id = $1 AND closed_at IS NULL",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    let mut measured = speeds(tx, pool).await?;
    let demand = |row: JobRow| {
        let speeds = if row.profiled { measured.remove(&row.id).unwrap_or_default() } else { unprofiled(&row)? };
        let want = Want::Job(Job {
            job: row.id,
            gang: row.gang,
            weight_milli: row.weight_milli,
            speeds,
            work: row.work_milliunits,
            done: row.done_milliunits,
            reference: row.reference_milliunits,
            budget_left: Micros::new(row.budget_left_micros),
            advanced_at: to_at(row.advanced_at),
            fairness: row.fairness.0,
        });
        Ok(Demand { owner: row.organisation_id, arrived_at: to_at(row.created_at), want })
    };
    rows.into_iter().map(demand).collect()
}

/// Measured speeds of the pool's live jobs, for each job's own gang and the classes that it accepts.
async fn speeds(tx: &mut Tx, pool: PoolId) -> Result<BTreeMap<JobId, Vec<ClassSpeed>>, StoreError> {
    let rows: Vec<(Uuid, String, i64)> = sqlx::query_as(
        "SELECT j.id, s.class_id, s.milliunits_per_second
         FROM jobs j JOIN profile_speeds s ON s.profile_id = j.profile_id AND s.gang = j.gang AND s.class_id = ANY (j.class_ids)
         WHERE j.pool_id = $1 AND j.closed_at IS NULL",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    let mut speeds: BTreeMap<JobId, Vec<ClassSpeed>> = BTreeMap::new();
    for (job, id, milliunits_per_second) in rows {
        let speed = ClassSpeed { class: class(&id)?, milliunits_per_second };
        speeds.entry(JobId::from(job)).or_default().push(speed);
    }
    Ok(speeds)
}

/// Without a profile a gang is equally fast on every class.
fn unprofiled(row: &JobRow) -> Result<Vec<ClassSpeed>, StoreError> {
    let milliunits_per_second = unprofiled_speed(row.gang);
    row.class_ids.iter().map(|id| Ok(ClassSpeed { class: class(id)?, milliunits_per_second })).collect()
}

/// Closed jobs that may have been ahead of their share; the plan says which of them are settled.
pub(super) async fn departed(tx: &mut Tx, pool: PoolId) -> Result<Vec<Departed>, StoreError> {
    let rows: Vec<(Uuid, OffsetDateTime, Json<JobFairness>)> = sqlx::query_as(
        "SELECT id, advanced_at, fairness FROM jobs WHERE pool_id = $1 AND closed_at IS NOT NULL AND settled_at IS NULL",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    let departed = |(id, advanced_at, fairness): (Uuid, OffsetDateTime, Json<JobFairness>)| Departed {
        job: JobId::from(id),
        advanced_at: to_at(advanced_at),
        fairness: fairness.0,
    };
    Ok(rows.into_iter().map(departed).collect())
}

fn class(id: &str) -> Result<ClassId, StoreError> {
    valid("device class", id.parse())
}
