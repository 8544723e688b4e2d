//! Rentals that have to move on because of what is known about their workloads.

use scheduler::world::ids::RentalId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::observed;
use crate::rental::Observed;
use crate::store::{StoreError, Tx};

/// A rental whose workload is ahead of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Which rental.
    pub rental: RentalId,
    /// The epoch that this is about.
    pub epoch: i64,
    /// How its workload fares.
    pub observed: Observed,
    /// What its command ended with.
    pub exit_code: Option<i32>,
    /// Whether its provider does not know it any more, twice in a row.
    pub vanished: bool,
    /// How long it was usable, as far as its node said.
    pub usable_millis: i64,
    /// When it was last seen.
    pub observed_at: Option<OffsetDateTime>,
}

/// Rentals whose workloads made progress, ended or vanished.
pub async fn due(tx: &mut Tx, limit: i64) -> Result<Vec<Due>, StoreError> {
    type Row = (Uuid, i64, String, Option<i32>, bool, i64, Option<OffsetDateTime>);
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT w.rental_id, w.epoch, w.observed, w.exit_code, w.absent_times >= 2 AND w.observed <> 'unseen' AS vanished, w.usable_millis, w.observed_at
         FROM workloads w JOIN rentals r ON r.id = w.rental_id AND r.epoch = w.epoch
         WHERE w.gone_at IS NULL
               AND (r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice')
                        AND (w.observed IN ('exited', 'failed') OR w.absent_times >= 2 AND w.observed <> 'unseen')
                    OR r.state = 'provisioning' AND w.observed IN ('pulling', 'starting', 'running')
                    OR r.state = 'pulling' AND w.observed IN ('starting', 'running')
                    OR r.state = 'starting' AND w.observed = 'running')
         ORDER BY w.rental_id LIMIT $1",
    )
    .bind(limit)
    .fetch_all(tx.conn())
    .await?;
    let due = |(rental, epoch, text, exit_code, vanished, usable_millis, observed_at): (
        Uuid,
        i64,
        String,
        _,
        bool,
        i64,
        _,
    )| {
        Ok(Due {
            rental: rental.into(),
            epoch,
            observed: observed(&text)?,
            exit_code,
            vanished,
            usable_millis,
            observed_at,
        })
    };
    rows.into_iter().map(due).collect()
}

/// Rentals that got their devices before `since` and are still not usable.
pub async fn late(tx: &mut Tx, since: OffsetDateTime, limit: i64) -> Result<Vec<RentalId>, StoreError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT r.id FROM rentals r
         WHERE r.state IN ('provisioning', 'pulling', 'starting')
               AND (SELECT min(lower(l.during)) FROM leases l WHERE l.rental_id = r.id AND upper_inf(l.during)) < $1
         ORDER BY r.state_at LIMIT $2",
    )
    .bind(since)
    .bind(limit)
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}

/// Rentals that are stopping and whose workload is gone.
pub async fn settled_stops(tx: &mut Tx, limit: i64) -> Result<Vec<RentalId>, StoreError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT r.id FROM rentals r
         WHERE r.state = 'stopping' AND NOT EXISTS (SELECT 1 FROM workloads w WHERE w.rental_id = r.id AND w.gone_at IS NULL)
         ORDER BY r.id LIMIT $1",
    )
    .bind(limit)
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}

/// Forgets workloads that nobody wants: those whose provider denied them twice, and those that no provider was ever
/// asked for. Returns how many.
pub async fn forget(tx: &mut Tx, now: OffsetDateTime) -> Result<u64, StoreError> {
    let result = sqlx::query(
        "UPDATE workloads w SET gone_at = $1
         FROM rentals r
         WHERE r.id = w.rental_id AND w.gone_at IS NULL AND (w.absent_times >= 2 OR w.attempts = 0 AND w.accepted_at IS NULL)
               AND NOT (r.epoch = w.epoch AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice'))",
    )
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected())
}
