//! `GET /v1/usage`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Deserialize;
use utoipa::IntoParams;

use super::UsageView;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Cursor, List, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::ReadMoney;
use crate::http::{State, wire};
use crate::store::usage::{self, Filter};

/// Which part of the past.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UsageQuery {
    /// Intervals that end after this instant.
    #[param(example = "2026-01-01T00:00:00Z")]
    from: Option<String>,
    /// Intervals that begin before this instant.
    #[param(example = "2026-02-01T00:00:00Z")]
    to: Option<String>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    cursor: Option<String>,
}

/// List metered usage
///
/// Closed intervals, newest first, each with its price, its exact length and its payment. What runs now is metered every
/// minute and at every change.
#[utoipa::path(tag = "money", operation_id = "list_usage", params(UsageQuery), responses((status = 200, body = List<UsageView>), Refusals))]
#[get("/v1/usage")]
pub async fn list(
    allowed: Allowed<ReadMoney>,
    query: Query<UsageQuery>,
    state: Data<State>,
) -> Result<web::Json<List<UsageView>>, Problem> {
    let cursor = Cursor::parse(query.0.limit, query.0.cursor.as_deref())?;
    let filter = Filter {
        rental: None,
        from: instant(query.0.from.as_deref(), "from")?,
        to: instant(query.0.to.as_deref(), "to")?,
    };
    let mut tx = state.begin_snapshot().await?;
    let rows = usage::list(&mut tx, allowed.caller.organisation, filter, cursor.before, cursor.rows()).await?;
    Ok(web::Json(List::cut(rows, cursor, |row| row.id, UsageView::from)))
}

fn instant(text: Option<&str>, field: &str) -> Result<Option<time::OffsetDateTime>, Problem> {
    let refused = || Problem::new(Code::InvalidValue, "a time looks like 2026-01-31T12:00:00Z").field(field);
    text.map(|text| wire::timestamp::parse(text).ok_or_else(refused)).transpose()
}
