//! `GET /v1/jobs`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Deserialize;
use utoipa::IntoParams;

use super::JobView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Cursor, List, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::job::StateName;
use crate::store::explanations;
use crate::store::jobs::{self, Filter};

/// Which jobs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// In this state only.
    #[param(inline)]
    state: Option<StateName>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    cursor: Option<String>,
}

/// List the organisation's jobs
///
/// Newest first, each with its progress, its fairness and its latest explanation.
#[utoipa::path(tag = "demand", operation_id = "list_jobs", params(JobsQuery), responses((status = 200, body = List<JobView>), Refusals))]
#[get("/v1/jobs")]
pub async fn list(
    allowed: Allowed<Read>,
    query: Query<JobsQuery>,
    state: Data<State>,
) -> Result<web::Json<List<JobView>>, Problem> {
    let cursor = Cursor::parse(query.0.limit, query.0.cursor.as_deref())?;
    let filter = Filter { state: query.0.state };
    let mut tx = state.begin_snapshot().await?;
    let rows = jobs::list(&mut tx, allowed.caller.organisation, filter, cursor.before, cursor.rows()).await?;
    let demands: Vec<_> = rows.iter().map(|submitted| submitted.job.demand()).collect();
    let explained = explanations::find(&mut tx, &demands).await?;
    let view = |row: jobs::Submitted| {
        let explained = explained.get(&row.job.demand());
        JobView::new(row, explained)
    };
    Ok(web::Json(List::cut(rows, cursor, |row| row.job.id.uuid(), view)))
}
