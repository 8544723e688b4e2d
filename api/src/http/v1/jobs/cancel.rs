//! `POST /v1/jobs/{id}/cancel`

use actix_web::post;
use actix_web::web::Data;
use scheduler::world::ids::JobId;

use super::JobView;
use crate::app::cancel_job::{CancelJobError, cancel_job};
use crate::app::once::{Fingerprint, Reply};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, IdempotencyKey};
use crate::http::openapi::Refusals;
use crate::http::permission::SubmitJobs;
use crate::http::{State, reply};
use crate::loops::LoopName;
use crate::store::explanations;

/// Take a job back
///
/// What is left of its budget is available again at once. If it has devices, its rental ends and is billed up to now.
#[utoipa::path(tag = "demand", operation_id = "cancel_job", params(("id" = String, Path, description = "The job"), IdempotencyKey),
    responses((status = 200, body = JobView), Refusals))]
#[post("/v1/jobs/{id}/cancel")]
pub async fn cancel(
    allowed: Allowed<SubmitJobs>,
    id: Id<JobId>,
    key: IdempotencyKey,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let fingerprint = Fingerprint::of("cancel_job", &id.0);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let cancelled = cancel_job(ctx, id.0).await?;
        let demand = cancelled.job.demand();
        let explained = explanations::find(&mut ctx.tx, &[demand]).await?;
        Ok(Reply::new(200, &JobView::new(cancelled, explained.get(&demand))))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<CancelJobError> for Problem {
    fn from(error: CancelJobError) -> Self {
        match error {
            CancelJobError::NoSuchJob => Self::not_found("job"),
            CancelJobError::Refused(refused) => Self::new(Code::WrongState, refused),
            CancelJobError::Store(store) => store.into(),
        }
    }
}
