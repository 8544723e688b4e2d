//! What a rental's end does to the bid or the job that it served. Everything else about them lives in files of their own.

use std::collections::BTreeSet;

use scheduler::world::ids::{BidId, JobId, RentalId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};
use crate::rental::{BidAfter, JobAfter};

/// Moves bids on that are still live and still served by that rental; returns those that moved.
pub async fn leave_bids(
    tx: &mut Tx,
    bids: &[(BidId, RentalId, BidAfter)],
    now: OffsetDateTime,
) -> Result<Vec<BidId>, StoreError> {
    if bids.is_empty() {
        return Ok(Vec::new());
    }
    let moved: Vec<Uuid> = sqlx::query_scalar(
        "UPDATE bids SET state = a.state, rental_id = CASE WHEN a.state = 'open' THEN NULL ELSE bids.rental_id END,
                closed_at = CASE WHEN a.state = 'open' THEN NULL ELSE $4::timestamptz END, version = bids.version + 1
         FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS a (id, rental_id, state)
         WHERE bids.id = a.id AND bids.rental_id = a.rental_id AND bids.closed_at IS NULL
         RETURNING bids.id",
    )
    .bind(bids.iter().map(|(id, _, _)| id.uuid()).collect::<Vec<_>>())
    .bind(bids.iter().map(|(_, rental, _)| rental.uuid()).collect::<Vec<_>>())
    .bind(bids.iter().map(|(_, _, after)| after.as_str()).collect::<Vec<_>>())
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(moved.into_iter().map(Into::into).collect())
}

/// Moves jobs on that are still live and still served by that rental; returns those that moved.
pub async fn leave_jobs(
    tx: &mut Tx,
    jobs: &[(JobId, RentalId, JobAfter)],
    now: OffsetDateTime,
) -> Result<Vec<JobId>, StoreError> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let moved: Vec<Uuid> = sqlx::query_scalar(
        "UPDATE jobs SET state = a.state, rental_id = CASE WHEN a.state = 'preempted' THEN NULL ELSE jobs.rental_id END,
                closed_at = CASE WHEN a.state = 'preempted' THEN NULL ELSE $4::timestamptz END, version = jobs.version + 1
         FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS a (id, rental_id, state)
         WHERE jobs.id = a.id AND jobs.rental_id = a.rental_id AND jobs.closed_at IS NULL
         RETURNING jobs.id",
    )
    .bind(jobs.iter().map(|(id, _, _)| id.uuid()).collect::<Vec<_>>())
    .bind(jobs.iter().map(|(_, rental, _)| rental.uuid()).collect::<Vec<_>>())
    .bind(jobs.iter().map(|(_, _, after)| after.as_str()).collect::<Vec<_>>())
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(moved.into_iter().map(Into::into).collect())
}

/// Locks the jobs and then the bids that these rentals serve; returns the bids that asked to re-enter the book.
pub async fn lock(tx: &mut Tx, rentals: &[RentalId]) -> Result<BTreeSet<BidId>, StoreError> {
    let ids: Vec<Uuid> = rentals.iter().map(|id| id.uuid()).collect();
    sqlx::query(
        "SELECT j.id FROM jobs j WHERE j.id IN (SELECT job_id FROM rentals WHERE id = ANY($1)) ORDER BY j.id FOR UPDATE",
    )
    .bind(&ids)
    .execute(tx.conn())
    .await?;
    let bids: Vec<(Uuid, bool)> = sqlx::query_as(
        "SELECT b.id, b.reenter FROM bids b WHERE b.id IN (SELECT bid_id FROM rentals WHERE id = ANY($1)) ORDER BY b.id FOR UPDATE",
    )
    .bind(&ids)
    .fetch_all(tx.conn())
    .await?;
    Ok(bids.into_iter().filter(|(_, reenter)| *reenter).map(|(id, _)| id.into()).collect())
}
