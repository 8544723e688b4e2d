//! `GET /v1/agent/work`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::NodeId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::WorkView;
use crate::app::hear_node::Told;
use crate::config::limits;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{AgentNode, Query};
use crate::http::openapi::Refusals;
use crate::store::workloads;

/// What the node knows.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WorkQuery {
    /// `known` of the last answer. Without it the answer comes at once.
    #[param(example = "9f86d081884c7d65")]
    known: Option<String>,
}

/// Wait for news
///
/// Answers as soon as what the node should run is no longer what it knows, and after 25 seconds in any case. Saves the
/// wait for the next heartbeat, whose answer says the same.
#[utoipa::path(tag = "agents", operation_id = "wait_for_work", params(WorkQuery),
    responses((status = 200, body = WorkView), Refusals), security(("node_token" = [])))]
#[get("/v1/agent/work")]
pub async fn wait(
    node: AgentNode,
    query: Query<WorkQuery>,
    state: Data<State>,
) -> Result<web::Json<WorkView>, Problem> {
    let bell = state.doorbell.of(node.0);
    let over = tokio::time::sleep(limits::NEWS_WAIT);
    tokio::pin!(over);
    loop {
        // Listening begins before looking: what changes in between rings.
        let rung = bell.notified();
        tokio::pin!(rung);
        rung.as_mut().enable();
        let work = look(&state, node.0).await?;
        if query.0.known.as_ref() != Some(&work.known) {
            return Ok(web::Json(work));
        }
        tokio::select! {
            () = rung => {}
            () = tokio::time::sleep(limits::NEWS_LOOK) => {}
            () = state.stopping.cancelled() => return Ok(web::Json(work)),
            () = &mut over => return Ok(web::Json(work)),
        }
    }
}

async fn look(state: &State, node: NodeId) -> Result<WorkView, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let desired = workloads::desired_on(&mut tx, node).await?;
    let told = Told { desired, ..Told::default() };
    Ok(WorkView::new(told, state.shells.waiting_for(node), state.clock.now()))
}
