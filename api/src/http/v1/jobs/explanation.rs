//! `GET /v1/jobs/{id}/explanation`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::JobId;

use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::v1::explanations::ExplanationView;
use crate::store::{explanations, jobs};

/// Ask why a job got what it got
///
/// In words and numbers, as of the last round that looked at it.
#[utoipa::path(tag = "demand", operation_id = "explain_job", params(("id" = String, Path, description = "The job")),
    responses((status = 200, body = ExplanationView), Refusals))]
#[get("/v1/jobs/{id}/explanation")]
pub async fn explanation(
    allowed: Allowed<Read>,
    id: Id<JobId>,
    state: Data<State>,
) -> Result<web::Json<ExplanationView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let submitted = jobs::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let submitted = submitted.ok_or_else(|| Problem::not_found("job"))?;
    let demand = submitted.job.demand();
    let explained = explanations::find(&mut tx, &[demand]).await?.remove(&demand);
    let explained = explained.ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            "no round has looked at this job yet; GET /v1/pools/{id} says when the next one is",
        )
    })?;
    Ok(web::Json(ExplanationView::new(&explained, &submitted.currency)))
}
