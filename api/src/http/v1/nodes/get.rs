//! `GET /v1/nodes/{id}`

use actix_web::get;
use actix_web::web::Data;
use scheduler::world::ids::NodeId;

use super::NodeView;
use crate::app::listed_node::complete_one;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::nodes;

/// Get a node of the organisation
#[utoipa::path(tag = "supply", operation_id = "get_node", params(("id" = String, Path, description = "The node")), responses((status = 200, body = NodeView), (status = 304, description = "Unchanged since the ETag"), Refusals))]
#[get("/v1/nodes/{id}")]
pub async fn get(allowed: Allowed<Read>, id: Id<NodeId>, state: Data<State>) -> Result<Tagged<NodeView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let node = nodes::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let node = node.ok_or_else(|| Problem::not_found("node"))?;
    Ok(Tagged(NodeView::from(complete_one(&mut tx, node).await?)))
}
