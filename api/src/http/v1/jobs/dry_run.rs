//! `POST /v1/jobs/dry-run`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::fairness::promise::Admission;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::submit::NewJob;
use crate::app::quote_job::{JobQuote, quote_job};
use crate::clock::from_at;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::{State, wire};

/// What a job would be promised.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = JobDryRun)]
pub struct JobDryRunView {
    /// The pool that it would run in.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub pool_id: String,
    /// Whether the pool would let it in now.
    pub admitted: bool,
    /// When it would be finished at the latest; null where that cannot be promised.
    #[serde(with = "wire::timestamp::option")]
    pub finish_by: Option<OffsetDateTime>,
    /// What the promise says, or why there is none.
    #[schema(example = "It is finished by then, or a part of what it paid returns.")]
    pub sentence: String,
    /// What would be set aside.
    #[schema(example = "40.00")]
    pub hold: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
}

/// Try a job
///
/// The body of a job, against the pool as it is: whether it would be let in, and by when it would be finished. Nothing is submitted
/// or set aside; whoever submits later may find less room, and then a later time or none.
#[utoipa::path(tag = "demand", operation_id = "dry_run_job", request_body = NewJob, responses((status = 200, body = JobDryRunView), Refusals))]
#[post("/v1/jobs/dry-run")]
pub async fn dry_run(
    allowed: Allowed<Read>,
    body: Json<NewJob>,
    state: Data<State>,
) -> Result<web::Json<JobDryRunView>, Problem> {
    let order = body.0.parse()?;
    let mut ctx = state.begin(allowed.caller).await?;
    let quote = quote_job(&mut ctx, &order).await?;
    Ok(web::Json(JobDryRunView::from(quote)))
}

impl From<JobQuote> for JobDryRunView {
    fn from(quote: JobQuote) -> Self {
        let JobQuote { submitted, admission } = quote;
        let (admitted, finish_by, sentence) = match admission {
            Ok(Admission::Promised(promise)) => {
                let kept = "It is finished by then, or a part of what it paid returns by itself.";
                (true, Some(from_at(promise.finish_by)), kept.to_owned())
            }
            Ok(Admission::Unpromised(why)) => (true, None, said(&why)),
            Err(why) => (false, None, said(&why)),
        };
        Self {
            pool_id: submitted.job.pool.to_string(),
            admitted,
            finish_by,
            sentence,
            hold: submitted.job.budget.to_string(),
            currency: submitted.currency,
        }
    }
}

/// A reason as a sentence.
fn said(why: &impl ToString) -> String {
    let text = why.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
