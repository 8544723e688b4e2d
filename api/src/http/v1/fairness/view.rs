//! How fairness looks on the wire.

use scheduler::fairness::rho;
use scheduler::plan::Standing;
use scheduler::world::{Job, Micros, SharePolicy};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::v1::pools::SharePolicyName;

/// Everybody's standing after the last round.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Fairness)]
pub struct FairnessView {
    /// The round; null before the first.
    #[schema(example = 4711)]
    pub round_number: Option<i64>,
    /// How jobs divide what is theirs.
    #[schema(value_type = SharePolicyName)]
    pub policy: SharePolicy,
    /// The live jobs.
    pub jobs: Vec<StandingView>,
}

/// A job's standing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Standing)]
pub struct StandingView {
    /// Whose: an id if it is yours, a rank otherwise.
    #[schema(example = "job_00000000000000000000000000000002")]
    pub demand: String,
    /// Its name, if it is yours.
    pub name: Option<String>,
    /// Its weight.
    #[schema(example = "1.00")]
    pub weight: String,
    /// Devices it needs at once.
    pub gang: i32,
    /// Work done, from 0 to 1.
    #[schema(example = "0.42")]
    pub progress: String,
    /// Projected finish over that of a private share: at or below 1 it is no later than on a private share. Null while
    /// there is nothing to compare with, because the pool has nothing that the job can use: no node has room for its gang.
    #[schema(example = "0.97")]
    pub rho: Option<String>,
    /// What rho is measured against: a private weighted share of what the job can use.
    #[schema(example = "demand_aware")]
    pub rho_denominator: &'static str,
    /// Entitled time due minus received. Positive: the pool owes it.
    #[schema(example = -12)]
    pub lag_seconds: i64,
    /// The part of time that its share entitles it to run, from 0 to 1.
    #[schema(example = "0.50")]
    pub entitled_share: String,
    /// Whether it runs by entitlement.
    pub entitled: bool,
}

impl StandingView {
    pub(super) fn new(standing: &Standing, job: &Job, demand: String, name: Option<String>) -> Self {
        let part = i128::from(standing.done) * 1_000_000 / i128::from(job.work.max(1));
        Self {
            demand,
            name,
            weight: decimal(i64::from(job.weight_milli) * 1000),
            gang: job.gang,
            progress: decimal(i64::try_from(part.clamp(0, 1_000_000)).unwrap_or(0)),
            rho: rho::told(standing.rho_ppm).map(decimal),
            rho_denominator: "demand_aware",
            lag_seconds: standing.lag_millis.div_euclid(1000),
            entitled_share: decimal(standing.state.share / 1_000_000),
            entitled: standing.entitled,
        }
    }
}

/// Millionths in decimal: money has the same grain and the same spelling.
fn decimal(millionths: i64) -> String {
    Micros::new(millionths).to_string()
}
