//! Jobs whose work is done, reckoned at the measured speed of the class they run on since they were last told.

use scheduler::world::ids::{JobId, PoolId, RentalId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// Running jobs of these pools that have done their work by `now`, with the rentals they run in. A command on a real node
/// says itself when it is done: there the measured speed is an estimate, and nobody's process is ended by an estimate.
pub async fn finished(
    tx: &mut Tx,
    pools: &[PoolId],
    now: OffsetDateTime,
) -> Result<Vec<(JobId, RentalId)>, StoreError> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "SELECT j.id, r.id
         FROM jobs j
         JOIN rentals r ON r.id = j.rental_id AND r.state IN ('running', 'notice') AND r.usable_at IS NOT NULL
         JOIN nodes n ON n.id = r.node_id
         LEFT JOIN profile_speeds s ON s.profile_id = j.profile_id AND s.class_id = r.class_id AND s.gang = j.gang
         WHERE j.pool_id = ANY($1) AND j.closed_at IS NULL AND j.state = 'running'
           AND (n.adapter = 'simulated' OR j.command IS NULL)
           AND j.work_milliunits - j.done_milliunits <=
               work_between(greatest(j.advanced_at, r.usable_at), $2, j.profile_id, j.gang, s.milliunits_per_second)
         ORDER BY r.id",
    )
    .bind(pools.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|(job, rental)| (job.into(), rental.into())).collect())
}

/// Says of completed jobs that all their work is done.
pub async fn note(tx: &mut Tx, jobs: &[JobId]) -> Result<(), StoreError> {
    sqlx::query("UPDATE jobs SET done_milliunits = work_milliunits WHERE id = ANY($1) AND state = 'completed'")
        .bind(jobs.iter().map(|id| id.uuid()).collect::<Vec<_>>())
        .execute(tx.conn())
        .await?;
    Ok(())
}
