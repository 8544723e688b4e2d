//! Quotes' rows: prices that were shown to a tenant and are kept until they expire.

use scheduler::world::class::ClassId;
use scheduler::world::ids::{AskId, OrganisationId, PoolId, QuoteId};
use scheduler::world::money::PricePerHour;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;

use super::{StoreError, Tx, column};

/// A price that was shown, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// Identity.
    pub id: QuoteId,
    /// To whom it was shown.
    pub organisation: OrganisationId,
    /// The ask's pool.
    pub pool: PoolId,
    /// For which ask.
    pub ask: AskId,
    /// The ask's class.
    pub class: ClassId,
    /// For how many devices.
    pub devices: i32,
    /// The pool's currency.
    pub currency: String,
    /// Per device and hour.
    pub price: PricePerHour,
    /// The marketplace's part of it, in hundredths of a percent, as of now.
    pub fee_bps: i32,
    /// When it was shown.
    pub created_at: OffsetDateTime,
    /// Until when it is kept.
    pub expires_at: OffsetDateTime,
}

impl<'r> FromRow<'r, PgRow> for Quote {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: column::id(row, "id")?,
            organisation: column::id(row, "organisation_id")?,
            pool: column::id(row, "pool_id")?,
            ask: column::id(row, "ask_id")?,
            class: column::parsed(row, "class_id")?,
            devices: row.try_get("devices")?,
            currency: row.try_get("currency")?,
            price: column::price(row, "price_micros_per_hour")?,
            fee_bps: row.try_get("fee_bps")?,
            created_at: row.try_get("created_at")?,
            expires_at: row.try_get("expires_at")?,
        })
    }
}

/// Keeps a quote.
pub async fn insert(tx: &mut Tx, quote: &Quote) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO quotes (id, organisation_id, pool_id, ask_id, devices, price_micros_per_hour, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(quote.id.uuid())
    .bind(quote.organisation.uuid())
    .bind(quote.pool.uuid())
    .bind(quote.ask.uuid())
    .bind(quote.devices)
    .bind(quote.price.micros())
    .bind(quote.created_at)
    .bind(quote.expires_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The organisation's quote of that id.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: QuoteId) -> Result<Option<Quote>, StoreError> {
    let quote = sqlx::query_as(
        "SELECT q.id, q.organisation_id, q.pool_id, q.ask_id, a.class_id, q.devices, p.currency, q.price_micros_per_hour,
                p.fee_bps, q.created_at, q.expires_at
         FROM quotes q JOIN asks a ON a.id = q.ask_id JOIN pools p ON p.id = q.pool_id
         WHERE q.id = $1 AND q.organisation_id = $2",
    )
    .bind(id.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(quote)
}
