//! `GET /v1/admin/overview`

use actix_web::get;
use actix_web::web::{self, Data};

use super::{InvariantView, LoopView, OverviewView};
use crate::app::invariants::check;
use crate::config::limits;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::Allowed;
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::store::admin;

/// See the marketplace at a glance
///
/// The invariants are those of this server's last check, which is at most a minute old.
#[utoipa::path(tag = "operators", operation_id = "get_overview", responses((status = 200, body = OverviewView), Refusals))]
#[get("/v1/admin/overview")]
pub async fn get(_: Allowed<Operate>, state: Data<State>) -> Result<web::Json<OverviewView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let counts = admin::counts(&mut tx).await?;
    let mut findings = state.findings.last();
    if findings.is_empty() {
        findings = check(&mut tx, state.clock.now() - limits::INVARIANTS_REACH).await?;
    }
    Ok(web::Json(OverviewView {
        organisations: counts.organisations,
        users: counts.users,
        invariants: findings.iter().map(InvariantView::from).collect(),
        alerts_open: counts.alerts_open,
        loops: state.board.reports().into_iter().map(LoopView::from).collect(),
    }))
}
