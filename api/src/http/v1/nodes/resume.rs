//! `POST /v1/nodes/{id}/resume`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::world::ids::NodeId;

use super::NodeView;
use crate::app::move_node::{Move, move_node};
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;
use crate::loops::LoopName;

/// Bring a drained node back
#[utoipa::path(tag = "supply", operation_id = "resume_node", params(("id" = String, Path, description = "The node")), responses((status = 200, body = NodeView), Refusals))]
#[post("/v1/nodes/{id}/resume")]
pub async fn resume(
    allowed: Allowed<Supply>,
    id: Id<NodeId>,
    state: Data<State>,
) -> Result<web::Json<NodeView>, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let node = move_node(&mut ctx, id.0, Move::Resume).await?;
    ctx.tx.commit().await?;
    state.wake.signal(LoopName::Round);
    Ok(web::Json(NodeView::from(node)))
}
