//! `POST /v1/nodes/{id}/drain`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::world::ids::NodeId;

use super::NodeView;
use crate::app::move_node::{Move, MoveNodeError, move_node};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;
use crate::loops::LoopName;

/// Drain a node
///
/// No new rental starts on it. On-demand rentals run until they end; what is interruptible gets the pool's notice from
/// the next round.
#[utoipa::path(tag = "supply", operation_id = "drain_node", params(("id" = String, Path, description = "The node")), responses((status = 200, body = NodeView), Refusals))]
#[post("/v1/nodes/{id}/drain")]
pub async fn drain(
    allowed: Allowed<Supply>,
    id: Id<NodeId>,
    state: Data<State>,
) -> Result<web::Json<NodeView>, Problem> {
    let mut ctx = state.begin(allowed.caller).await?;
    let node = move_node(&mut ctx, id.0, Move::Drain).await?;
    ctx.tx.commit().await?;
    state.wake.signal(LoopName::Round);
    Ok(web::Json(NodeView::from(node)))
}

impl From<MoveNodeError> for Problem {
    fn from(error: MoveNodeError) -> Self {
        match error {
            MoveNodeError::NoSuchNode => Self::not_found("node"),
            MoveNodeError::State(_) => Self::new(Code::WrongState, error),
            MoveNodeError::Store(store) => store.into(),
        }
    }
}
