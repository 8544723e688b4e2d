//! What operators see of the whole marketplace.

use scheduler::world::Micros;
use scheduler::world::ids::OrganisationId;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, column};

/// How much there is of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Organisations.
    pub organisations: i64,
    /// People.
    pub users: i64,
    /// Alerts that are not resolved.
    pub alerts_open: i64,
}

/// Counts, in one statement.
pub async fn counts(tx: &mut Tx) -> Result<Counts, StoreError> {
    let counts = sqlx::query_as(
        "SELECT (SELECT count(*) FROM organisations) AS organisations, (SELECT count(*) FROM users) AS users,
                (SELECT count(*) FROM alerts WHERE resolved_at IS NULL) AS alerts_open",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(counts)
}

/// An organisation and its money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganisationFunds {
    /// Identity.
    pub id: OrganisationId,
    /// Its name.
    pub name: String,
    /// The currency of its wallet.
    pub currency: String,
    /// What it can spend.
    pub available: Micros,
    /// What is set aside.
    pub held: Micros,
    /// When it was created.
    pub created_at: OffsetDateTime,
}

impl FromRow<'_, PgRow> for OrganisationFunds {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            name: row.try_get("name")?,
            currency: row.try_get("currency")?,
            available: column::amount(row, "available")?,
            held: column::amount(row, "held")?,
            created_at: row.try_get("created_at")?,
        })
    }
}

/// All organisations, newest first.
pub async fn organisations(tx: &mut Tx, before: Option<Uuid>, rows: i64) -> Result<Vec<OrganisationFunds>, StoreError> {
    let funds = sqlx::query_as(
        "SELECT o.id, o.name, o.currency, o.created_at, a.balance_micros AS available, h.balance_micros AS held
         FROM organisations o
         JOIN accounts a ON a.organisation_id = o.id AND a.kind = 'tenant_available' AND a.currency = o.currency
         JOIN accounts h ON h.organisation_id = o.id AND h.kind = 'tenant_held' AND h.currency = o.currency
         WHERE $1::uuid IS NULL OR o.id < $1 ORDER BY o.id DESC LIMIT $2",
    )
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(funds)
}
