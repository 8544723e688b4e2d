//! A tenant takes a job back: a rental that it has ends, and what is left of its budget returns, in one transaction.

use scheduler::world::ids::JobId;
use serde_json::json;

use super::Ctx;
use super::end_rentals::{End, end_rentals};
use crate::job::{Job, JobState, Refused};
use crate::rental::EndReason;
use crate::store::events::NewEvent;
use crate::store::jobs::Submitted;
use crate::store::{StoreError, events, holds, jobs};

/// Why a job was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum CancelJobError {
    /// The organisation has no such job.
    #[error("there is no such job")]
    NoSuchJob,
    /// It is over.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Rounds change jobs, too: when one was faster, the job is looked at again.
const ATTEMPTS: usize = 3;

/// Cancels one of the caller's jobs and returns it as it is then.
pub async fn cancel_job(ctx: &mut Ctx<'_>, id: JobId) -> Result<Submitted, CancelJobError> {
    let mut lost = None;
    for _ in 0..ATTEMPTS {
        let job = load(ctx, id).await?.job;
        let to = job.state.cancel(ctx.now)?;
        match close(ctx, &job, to).await {
            Ok(()) => return load(ctx, id).await,
            Err(error) if error.is_conflict() => lost = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    Err(lost.map_or(CancelJobError::NoSuchJob, CancelJobError::Store))
}

async fn load(ctx: &mut Ctx<'_>, id: JobId) -> Result<Submitted, CancelJobError> {
    jobs::find(&mut ctx.tx, ctx.caller.organisation, id).await?.ok_or(CancelJobError::NoSuchJob)
}

/// Closes the job as it was loaded; a conflict when it has changed since.
async fn close(ctx: &mut Ctx<'_>, job: &Job, to: JobState) -> Result<(), StoreError> {
    if let Some(rental) = job.state.rental() {
        let end = End::because(rental, EndReason::Tenant);
        let ended = end_rentals(&mut ctx.tx, ctx.entropy, &[end], ctx.now, ctx.now).await?;
        let missed = StoreError::Stale { what: "end a job's rental", touched: 0 };
        return if ended.is_empty() { Err(missed) } else { Ok(()) };
    }
    jobs::close(&mut ctx.tx, job, to, ctx.now).await?;
    if let Some(hold) = holds::lock(&mut ctx.tx, job.demand()).await? {
        let transfer = ctx.id();
        holds::release(&mut ctx.tx, &hold, transfer, "job cancelled", ctx.now).await?;
    }
    let cancelled = NewEvent {
        id: ctx.id(),
        organisation: Some(job.organisation),
        provider: None,
        pool: None,
        kind: "job.cancelled",
        subject: job.id.to_string(),
        body: json!({"state": to.name()}),
    };
    events::record(&mut ctx.tx, &[cancelled], ctx.now).await
}
