//! `GET /v1/ssh-keys`

use actix_web::get;
use actix_web::web::{self, Data};

use super::SshKeyView;
use crate::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::store::ssh_keys;

/// List the organisation's SSH keys
#[utoipa::path(tag = "identity", operation_id = "list_ssh_keys", params(Page), responses((status = 200, body = List<SshKeyView>), Refusals))]
#[get("/v1/ssh-keys")]
pub async fn list(
    allowed: Allowed<Read>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<SshKeyView>>, Problem> {
    let cursor = page.0.parse()?;
    let mut tx = state.begin_snapshot().await?;
    let rows = ssh_keys::list(&mut tx, allowed.caller.organisation, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id.uuid(), SshKeyView::from)))
}
