//! `GET /v1/providers/{id}/nodes`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::ProviderId;

use crate::app::listed_node::complete;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::v1::nodes::NodeView;
use crate::store::{nodes, providers};

/// List a provider's nodes
///
/// With their devices and live asks, newest first.
#[utoipa::path(tag = "supply", operation_id = "list_nodes", params(("id" = String, Path, description = "The provider"), Page), responses((status = 200, body = List<NodeView>), Refusals))]
#[get("/v1/providers/{id}/nodes")]
pub async fn list_nodes(
    allowed: Allowed<Read>,
    id: Id<ProviderId>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<NodeView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let provider = providers::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let provider = provider.ok_or_else(|| Problem::not_found("provider"))?;
    let rows = nodes::list(&mut tx, provider.id, cursor.before, cursor.rows()).await?;
    let nodes = complete(&mut tx, rows).await?;
    Ok(web::Json(List::cut(nodes, cursor, |listed| listed.node.id.uuid(), NodeView::from)))
}
