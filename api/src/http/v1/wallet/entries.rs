//! `GET /v1/wallet/entries`

use actix_web::get;
use actix_web::web::{self, Data};
use uuid::Uuid;

use super::EntryView;
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Cursor, List, Page, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::ReadMoney;
use crate::store::wallet::{self, EntryPosition, WalletEntry};

/// List the ledger's entries
///
/// Every change of the two balances, newest first. The entries of an account add up to its balance.
#[utoipa::path(tag = "money", operation_id = "list_entries", params(Page), responses((status = 200, body = List<EntryView>), Refusals))]
#[get("/v1/wallet/entries")]
pub async fn list(
    allowed: Allowed<ReadMoney>,
    page: Query<Page>,
    state: Data<State>,
) -> Result<web::Json<List<EntryView>>, Problem> {
    let before = page.0.cursor.as_deref().map(position).transpose()?;
    let cursor = Cursor::parse(page.0.limit, None)?;
    let mut tx = state.begin_snapshot().await?;
    let mut rows = wallet::entries(&mut tx, allowed.caller.organisation, before.as_ref(), cursor.rows()).await?;
    let limit = usize::try_from(cursor.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = if more { rows.last().map(written) } else { None };
    Ok(web::Json(List { items: rows.into_iter().map(EntryView::from).collect(), next_cursor }))
}

/// A transfer can have an entry on both balances, so its id alone does not say where a page ended.
fn written(entry: &WalletEntry) -> String {
    format!("{}.{}", entry.transfer_id.simple(), entry.account)
}

fn position(cursor: &str) -> Result<EntryPosition, Problem> {
    let parsed = cursor.split_once('.').and_then(|(transfer, account)| {
        Some(EntryPosition { transfer_id: Uuid::try_parse(transfer).ok()?, account: account.to_owned() })
    });
    parsed.ok_or_else(|| Problem::new(Code::InvalidValue, "cursor is not one that this API gave out").field("cursor"))
}
