//! `GET /v1/pools/{id}/fairness`

use std::collections::BTreeMap;

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::{JobId, PoolId};
use scheduler::world::{DemandId, Job, Want};

use super::{FairnessView, StandingView};
use crate::app::open_round::Opened;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Id, MaybeCaller};
use crate::http::openapi::Refusals;
use crate::store::{job_names, pools};

/// Get a pool's fairness
///
/// How far each live job is from what a private weighted share of the pool would have given it, after the last round.
/// Jobs appear by a rank that is theirs in this round only; with a token the caller's own appear by id and name.
#[utoipa::path(tag = "market", operation_id = "get_fairness", params(("id" = String, Path, description = "The pool")),
    responses((status = 200, body = FairnessView), Refusals), security((), ("access_token" = []), ("api_key" = [])))]
#[get("/v1/pools/{id}/fairness")]
pub async fn get(caller: MaybeCaller, id: Id<PoolId>, state: Data<State>) -> Result<web::Json<FairnessView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let pool = pools::find(&mut tx, id.0).await?.ok_or_else(|| Problem::not_found("pool"))?;
    let policy = pool.settings.share_policy;
    let Some(opened) = state.rounds.open(&mut tx, id.0, None).await? else {
        return Ok(web::Json(FairnessView { round_number: None, policy, jobs: Vec::new() }));
    };
    let names = match caller.0 {
        Some(caller) => job_names::live(&mut tx, caller.organisation, id.0).await?,
        None => BTreeMap::new(),
    };
    let jobs = jobs(&opened);
    let standing = |standing: &scheduler::plan::Standing| {
        let job = jobs.get(&standing.job)?;
        let name = names.get(&standing.job).cloned();
        let identity = DemandId::Job(standing.job).to_string();
        let shown = match name {
            Some(_) => identity,
            None => opened.pseudonyms.get(&identity)?.to_owned(),
        };
        Some(StandingView::new(standing, job, shown, name))
    };
    let jobs = opened.record.plan.fairness.iter().filter_map(standing).collect();
    Ok(web::Json(FairnessView { round_number: Some(opened.record.number), policy, jobs }))
}

fn jobs(opened: &Opened) -> BTreeMap<JobId, &Job> {
    let wants = opened.record.snapshot.demands.iter().map(|demand| &demand.want);
    wants.filter_map(|want| if let Want::Job(job) = want { Some((job.job, job)) } else { None }).collect()
}
