//! `POST /v1/jobs`

use actix_web::post;
use actix_web::web::Data;
use scheduler::fairness::promise::NotAdmitted;
use scheduler::world::Micros;
use serde::Deserialize;
use utoipa::ToSchema;

use super::JobView;
use crate::app::once::{Fingerprint, Reply};
use crate::app::submit_job::{JobOrder, SubmitJobError, submit_job};
use crate::app::{Command, Name};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, IdempotencyKey, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::SubmitJobs;
use crate::http::{State, reply};
use crate::job::parse_weight;
use crate::loops::LoopName;

/// A job to be submitted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewJob {
    /// The pool; the oldest that has what is asked for if absent.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pool_id: Option<String>,
    /// What people call it.
    #[schema(min_length = 1, max_length = 100, example = "resnet-50, run 12")]
    name: String,
    /// Which devices, and how many on one node. Of a range of counts the least is meant.
    #[schema(example = "A100,V100:4")]
    gpu: String,
    /// How much work: in the profile's unit, or in hours of one device without a profile.
    #[schema(example = "90000")]
    work: String,
    /// The measured workload that it is; its speeds say where it runs and how fast.
    #[schema(example = "prf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    profile_id: Option<String>,
    /// Its weight among the pool's jobs; 1 if absent.
    #[schema(example = "1")]
    weight: Option<String>,
    /// The most it may cost. It is set aside at once and as a whole.
    #[schema(example = "40.00")]
    budget: String,
    /// What to run, as a shell command line. It is run again in each of its turns.
    #[schema(example = "python train.py --resume", max_length = 8192)]
    command: Option<String>,
}

/// Submit a job
///
/// It gets its fair share of the pool in turns until its work is done. The share costs the entitlement price; what it gets
/// beyond that, while its budget lasts, the round's price.
#[utoipa::path(tag = "demand", operation_id = "submit_job", params(IdempotencyKey), request_body = NewJob,
    responses((status = 201, body = JobView), Refusals))]
#[post("/v1/jobs")]
pub async fn submit(
    allowed: Allowed<SubmitJobs>,
    key: IdempotencyKey,
    body: Json<NewJob>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let order = body.0.parse()?;
    let fingerprint = Fingerprint::of("submit_job", &order);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let submitted = submit_job(ctx, &order).await?;
        Ok(Reply::new(201, &JobView::new(submitted, None)))
    })
    .await?;
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl NewJob {
    /// A malformed body is refused here, before anything is looked at, and consumes no key.
    pub(super) fn parse(&self) -> Result<JobOrder, Problem> {
        let amount = |text: &str, field| text.parse::<Micros>().map_err(|error| invalid(error, field));
        let pool = self.pool_id.as_deref().map(str::parse).transpose().map_err(|error| invalid(error, "pool_id"))?;
        let profile = self.profile_id.as_deref().map(str::parse).transpose();
        let command = self.command.as_deref().map(|text| {
            Command::parse(text).ok_or_else(|| invalid("a command has 1 to 8192 bytes and no NUL", "command"))
        });
        let weight = parse_weight(self.weight.as_deref().unwrap_or("1")).map_err(|error| invalid(error, "weight"))?;
        Ok(JobOrder {
            pool,
            name: Name::parse(&self.name).ok_or_else(|| invalid("a name has 1 to 100 characters", "name"))?,
            gpu: self.gpu.parse().map_err(|error| Problem::new(Code::GpuRequestInvalid, error).field("gpu"))?,
            work: amount(&self.work, "work")?,
            profile: profile.map_err(|error| invalid(error, "profile_id"))?,
            weight_milli: weight,
            budget: amount(&self.budget, "budget")?,
            command: command.transpose()?,
        })
    }
}

fn invalid(detail: impl ToString, field: &str) -> Problem {
    Problem::new(Code::InvalidValue, detail).field(field)
}

impl From<SubmitJobError> for Problem {
    fn from(error: SubmitJobError) -> Self {
        let refused = |code, field| Self::new(code, &error).field(field);
        match error {
            SubmitJobError::NoSuchPool => refused(Code::InvalidValue, "pool_id"),
            SubmitJobError::NoSuchProfile => refused(Code::InvalidValue, "profile_id"),
            SubmitJobError::NoSuchClass(_) | SubmitJobError::NotMeasured { .. } => refused(Code::NoSuchClass, "gpu"),
            SubmitJobError::GangTooLarge => refused(Code::GpuRequestInvalid, "gpu"),
            SubmitJobError::Work(_) => refused(Code::InvalidValue, "work"),
            SubmitJobError::Budget => refused(Code::InvalidValue, "budget"),
            SubmitJobError::InsufficientFunds { .. } => refused(Code::InsufficientFunds, "budget"),
            SubmitJobError::NotAdmitted(NotAdmitted::Full { .. }) => refused(Code::PoolFull, "weight"),
            SubmitJobError::NotAdmitted(NotAdmitted::Spoils { .. }) => refused(Code::WouldBreakPromises, "gpu"),
            SubmitJobError::OtherCurrency(_) => Self::new(Code::OtherCurrency, error),
            SubmitJobError::Store(store) => store.into(),
        }
    }
}
