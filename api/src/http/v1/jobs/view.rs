//! How a job looks on the wire.

use scheduler::fairness::rho;
use scheduler::world::Micros;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::PromiseView;
use crate::http::v1::explanations::ExplanationView;
use crate::http::wire;
use crate::job::{Action, StateName, Unit, fraction, spell_weight, spell_work};
use crate::store::explanations::Explained;
use crate::store::jobs::Submitted;

/// A job, how far it is, and how fairly it was treated.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct JobView {
    /// Identity.
    #[schema(example = "job_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The pool it runs in.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub pool_id: String,
    /// What people call it.
    #[schema(example = "resnet-50, run 12")]
    pub name: String,
    /// The GPU request.
    #[schema(example = "A100,V100:4")]
    pub gpu: String,
    /// The classes it can run on.
    #[schema(example = json!(["a100-80gb", "v100-32gb"]))]
    pub class_ids: Vec<String>,
    /// Devices, all or nothing, on one node.
    #[schema(example = 4)]
    pub gang: i32,
    /// The measured workload that it is; null when its work is counted in time.
    #[schema(example = "prf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub profile_id: Option<String>,
    /// What its work is counted in.
    pub unit: Unit,
    /// Its weight; 1 is the usual share.
    #[schema(example = "1")]
    pub weight: String,
    /// All the work.
    #[schema(example = "90000")]
    pub work: String,
    /// Work done as of the last round.
    #[schema(example = "31250.5")]
    pub done: String,
    /// What a private, weighted share of the pool would have done by then.
    #[schema(example = "30000")]
    pub reference_done: String,
    /// Which part of the work is done, from 0 to 1.
    #[schema(example = "0.347227")]
    pub progress: String,
    /// Where it stands.
    pub state: StateName,
    /// The rental that serves it, or served it last.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub rental_id: Option<String>,
    /// The most it may cost. Held as a whole, and what is left returns at its end.
    #[schema(example = "40.00")]
    pub budget: String,
    /// What it has cost.
    #[schema(example = "12.75")]
    pub spent: String,
    /// The currency of both.
    #[schema(example = "USD")]
    pub currency: String,
    /// Projected finish time over that of a private, demand-aware share, as of the last round. At most 1 is fair. Null before
    /// the first round, and while the pool has nothing that the job can use.
    #[schema(example = "0.94")]
    pub rho: Option<String>,
    /// Entitled time due minus received, as of the last round. Positive: the pool owes it.
    #[schema(example = 12)]
    pub lag_seconds: Option<i64>,
    /// By when it was promised to be finished, and what became of that; null without a promise.
    pub promise: Option<PromiseView>,
    /// What it runs.
    #[schema(example = "python train.py --resume")]
    pub command: Option<String>,
    /// Why it got what it got in the last round that looked at it.
    pub explanation: Option<ExplanationView>,
    /// What can be done with it now.
    pub actions: &'static [Action],
    /// When it was submitted.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it was over.
    #[serde(with = "wire::timestamp::option")]
    pub closed_at: Option<OffsetDateTime>,
    /// Raised by every change.
    #[schema(example = 3)]
    pub version: i64,
}

impl JobView {
    /// The view of a job and of what the last round said about it.
    #[must_use]
    pub fn new(submitted: Submitted, explained: Option<&Explained>) -> Self {
        let Submitted { job, currency, promise } = submitted;
        Self {
            id: job.id.to_string(),
            pool_id: job.pool.to_string(),
            name: job.name,
            gpu: job.request,
            class_ids: job.classes.iter().map(ToString::to_string).collect(),
            gang: job.gang,
            profile_id: job.profile.map(|profile| profile.to_string()),
            unit: job.unit,
            weight: spell_weight(job.weight_milli),
            work: spell_work(job.work, job.unit),
            done: spell_work(job.done.min(job.work), job.unit),
            reference_done: spell_work(job.reference.min(job.work), job.unit),
            progress: fraction(job.done, job.work),
            state: job.state.name(),
            rental_id: job.rental.map(|rental| rental.to_string()),
            budget: job.budget.to_string(),
            spent: job.spent.to_string(),
            rho: job.rho_ppm.and_then(rho::told).map(|rho| Micros::new(rho).to_string()),
            lag_seconds: job.lag_millis.map(|lag| lag.div_euclid(1000)),
            promise: promise.map(|promise| PromiseView::new(promise, job.unit)),
            command: job.command,
            explanation: explained.map(|explained| ExplanationView::new(explained, &currency)),
            actions: job.state.actions(),
            created_at: job.created_at,
            closed_at: job.state.closed_at(),
            version: job.version,
            currency,
        }
    }
}
