//! `GET /v1/jobs/{id}`

use actix_web::get;
use actix_web::web::Data;
use scheduler::world::ids::JobId;

use super::JobView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::{explanations, jobs};

/// See a job
#[utoipa::path(tag = "demand", operation_id = "get_job", params(("id" = String, Path, description = "The job")),
    responses((status = 200, body = JobView), (status = 304, description = "Not changed"), Refusals))]
#[get("/v1/jobs/{id}")]
pub async fn get(allowed: Allowed<Read>, id: Id<JobId>, state: Data<State>) -> Result<Tagged<JobView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let found = jobs::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let submitted = found.ok_or_else(|| Problem::not_found("job"))?;
    let demand = submitted.job.demand();
    let explained = explanations::find(&mut tx, &[demand]).await?;
    Ok(Tagged(JobView::new(submitted, explained.get(&demand))))
}
