//! Writing jobs.

use scheduler::world::{ClassId, JobFairness};
use sqlx::types::Json;
use time::OffsetDateTime;

use crate::job::{Job, JobState};
use crate::store::tx::exactly_one;
use crate::store::{StoreError, Tx};

/// Adds a job that no round has looked at yet.
pub async fn insert(tx: &mut Tx, job: &Job) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO jobs (id, organisation_id, pool_id, created_by, name, request, profile_id, class_ids, gang, weight_milli,
                           work_milliunits, fairness, budget_micros, command, state, advanced_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'queued', $15, $15)",
    )
    .bind(job.id.uuid())
    .bind(job.organisation.uuid())
    .bind(job.pool.uuid())
    .bind(job.created_by.uuid())
    .bind(&job.name)
    .bind(&job.request)
    .bind(job.profile.map(|profile| profile.uuid()))
    .bind(job.classes.iter().map(ClassId::as_str).collect::<Vec<_>>())
    .bind(job.gang)
    .bind(job.weight_milli)
    .bind(job.work)
    .bind(Json(JobFairness::default()))
    .bind(job.budget.get())
    .bind(&job.command)
    .bind(job.created_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Closes a job that has no rental, if it still is as it was loaded. Those that have one are closed by its end.
pub async fn close(tx: &mut Tx, job: &Job, to: JobState, now: OffsetDateTime) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE jobs SET state = $4, closed_at = $5, version = version + 1 WHERE id = $1 AND version = $2 AND state = $3",
    )
    .bind(job.id.uuid())
    .bind(job.version)
    .bind(job.state.name().as_str())
    .bind(to.name().as_str())
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("close a job", &result)
}
