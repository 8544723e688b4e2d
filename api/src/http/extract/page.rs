//! Pages of a list. A cursor is the id of the last item seen: ids are ordered by time, so pages stay stable while new
//! items arrive.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::config::limits;
use crate::http::error::{Code, Problem};

/// The parameters of every list. Flatten is avoided on purpose: it would accept unknown parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub limit: Option<u32>,
    /// Where the last page ended (`next_cursor`).
    pub cursor: Option<String>,
}

/// Where a page begins and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Items strictly older than this one; the newest when absent.
    pub before: Option<Uuid>,
    /// Items per page.
    pub limit: u32,
}

impl Page {
    /// Checks both parameters.
    pub fn parse(&self) -> Result<Cursor, Problem> {
        Cursor::parse(self.limit, self.cursor.as_deref())
    }
}

impl Cursor {
    /// Checks the two parameters of a list that has more parameters of its own.
    pub fn parse(limit: Option<u32>, cursor: Option<&str>) -> Result<Self, Problem> {
        let limit = limit.unwrap_or(limits::PAGE_ITEMS);
        if !(1..=limits::PAGE_ITEMS_MAX).contains(&limit) {
            let detail = format!("limit is 1 to {}", limits::PAGE_ITEMS_MAX);
            return Err(Problem::new(Code::InvalidValue, detail).field("limit"));
        }
        let before = cursor.map(Uuid::try_parse).transpose().map_err(|_| {
            Problem::new(Code::InvalidValue, "cursor is not one that this API gave out").field("cursor")
        })?;
        Ok(Self { before, limit })
    }

    /// Rows to load: one more than the page, to know whether another follows.
    #[must_use]
    pub fn rows(self) -> i64 {
        i64::from(self.limit) + 1
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The items.
    pub items: Vec<T>,
    /// Pass as `cursor` for the next page; null on the last.
    pub next_cursor: Option<String>,
}

impl<T> List<T> {
    /// Cuts the surplus row off and names the cursor of the next page.
    pub fn cut<R>(mut rows: Vec<R>, cursor: Cursor, id: impl Fn(&R) -> Uuid, view: impl FnMut(R) -> T) -> Self {
        let limit = usize::try_from(cursor.limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = if more { rows.last().map(|row| id(row).simple().to_string()) } else { None };
        Self { items: rows.into_iter().map(view).collect(), next_cursor }
    }

    /// A list that has one page only.
    #[must_use]
    pub const fn whole(items: Vec<T>) -> Self {
        Self { items, next_cursor: None }
    }
}

impl<T, E> List<Result<T, E>> {
    /// A list of views, if every row could be shown.
    pub fn transpose(self) -> Result<List<T>, E> {
        let items = self.items.into_iter().collect::<Result<_, _>>()?;
        Ok(List { items, next_cursor: self.next_cursor })
    }
}
