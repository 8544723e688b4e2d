//! `GET /v1/asks`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::NodeId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::AskView;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Cursor, List, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::{State, field};
use crate::store::asks;

/// Which asks to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListAsks {
    /// Only those on this node.
    node_id: Option<String>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    cursor: Option<String>,
}

/// List the organisation's asks
///
/// Live and past, newest first.
#[utoipa::path(tag = "supply", operation_id = "list_asks", params(ListAsks), responses((status = 200, body = List<AskView>), Refusals))]
#[get("/v1/asks")]
pub async fn list(
    allowed: Allowed<Read>,
    query: Query<ListAsks>,
    state: Data<State>,
) -> Result<web::Json<List<AskView>>, Problem> {
    let cursor = Cursor::parse(query.0.limit, query.0.cursor.as_deref())?;
    let node = query.0.node_id.map(|text| field::id::<NodeId>("node_id", &text)).transpose()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = asks::list(&mut tx, allowed.caller.organisation, node, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id.uuid(), AskView::from)))
}
