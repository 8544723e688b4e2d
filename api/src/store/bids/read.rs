//! Reading bids.

use scheduler::world::Micros;
use scheduler::world::ids::{BidId, OrganisationId, RentalId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::bid::{Bid, BidState, StateName};
use crate::store::{StoreError, Tx, UnknownValue, column};

/// A bid, and what is held for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// The bid.
    pub bid: Bid,
    /// The currency of its pool.
    pub currency: String,
    /// What is set aside for it.
    pub held: Micros,
}

/// Which bids.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// In this state only.
    pub state: Option<StateName>,
}

/// One of the organisation's bids.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: BidId) -> Result<Option<Booked>, StoreError> {
    let booked = sqlx::query_as(
        "SELECT b.id, b.organisation_id, b.pool_id, b.created_by, b.request, b.class_ids, b.gang, b.limit_micros_per_hour, b.command,
                b.reenter, b.ends_at, b.state, b.rental_id, b.created_at, b.closed_at, b.version, p.currency,
                coalesce(h.remaining_micros, 0) AS held_micros
         FROM bids b JOIN pools p ON p.id = b.pool_id
         LEFT JOIN holds h ON h.subject = 'bid_' || replace(b.id::text, '-', '')
         WHERE b.organisation_id = $1 AND b.id = $2",
    )
    .bind(organisation.uuid())
    .bind(id.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(booked)
}

/// The organisation's bids, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    filter: Filter,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Booked>, StoreError> {
    let booked = sqlx::query_as(
        "SELECT b.id, b.organisation_id, b.pool_id, b.created_by, b.request, b.class_ids, b.gang, b.limit_micros_per_hour, b.command,
                b.reenter, b.ends_at, b.state, b.rental_id, b.created_at, b.closed_at, b.version, p.currency,
                coalesce(h.remaining_micros, 0) AS held_micros
         FROM bids b JOIN pools p ON p.id = b.pool_id
         LEFT JOIN holds h ON h.subject = 'bid_' || replace(b.id::text, '-', '')
         WHERE b.organisation_id = $1 AND ($2::text IS NULL OR b.state = $2) AND ($3::uuid IS NULL OR b.id < $3)
         ORDER BY b.id DESC LIMIT $4",
    )
    .bind(organisation.uuid())
    .bind(filter.state.map(StateName::as_str))
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(booked)
}

/// Live bids whose time is over, the earliest first.
pub async fn ending(tx: &mut Tx, now: OffsetDateTime, rows: i64) -> Result<Vec<Booked>, StoreError> {
    let booked = sqlx::query_as(
        "SELECT b.id, b.organisation_id, b.pool_id, b.created_by, b.request, b.class_ids, b.gang, b.limit_micros_per_hour, b.command,
                b.reenter, b.ends_at, b.state, b.rental_id, b.created_at, b.closed_at, b.version, p.currency,
                coalesce(h.remaining_micros, 0) AS held_micros
         FROM bids b JOIN pools p ON p.id = b.pool_id
         LEFT JOIN holds h ON h.subject = 'bid_' || replace(b.id::text, '-', '')
         WHERE b.ends_at <= $1 AND b.closed_at IS NULL ORDER BY b.ends_at, b.id LIMIT $2",
    )
    .bind(now)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(booked)
}

impl<'r> FromRow<'r, PgRow> for Booked {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let bid = Bid {
            id: column::id(row, "id")?,
            organisation: column::id(row, "organisation_id")?,
            pool: column::id(row, "pool_id")?,
            created_by: column::id(row, "created_by")?,
            request: row.try_get("request")?,
            classes: column::all_parsed(row, "class_ids")?,
            gang: row.try_get("gang")?,
            limit: column::price(row, "limit_micros_per_hour")?,
            command: row.try_get("command")?,
            reenter: row.try_get("reenter")?,
            ends_at: row.try_get("ends_at")?,
            state: state(row)?,
            rental: column::id_option(row, "rental_id")?,
            created_at: row.try_get("created_at")?,
            version: row.try_get("version")?,
        };
        Ok(Self { bid, currency: row.try_get("currency")?, held: column::amount(row, "held_micros")? })
    }
}

/// The state that the columns describe together.
fn state(row: &PgRow) -> Result<BidState, sqlx::Error> {
    let name: String = row.try_get("state")?;
    let unreadable =
        || sqlx::Error::ColumnDecode { index: "state".to_owned(), source: Box::new(UnknownValue(name.clone())) };
    let rental = column::id_option::<RentalId>(row, "rental_id")?.ok_or_else(unreadable);
    let closed_at = row.try_get::<Option<OffsetDateTime>, _>("closed_at")?.ok_or_else(unreadable);
    Ok(match StateName::parse(&name).ok_or_else(unreadable)? {
        StateName::Open => BidState::Open,
        StateName::Allocated => BidState::Allocated { rental: rental? },
        StateName::Notice => BidState::Notice { rental: rental? },
        StateName::Paused => BidState::Paused,
        StateName::Cancelled => BidState::Cancelled { at: closed_at? },
        StateName::Expired => BidState::Expired { at: closed_at? },
        StateName::Exhausted => BidState::Exhausted { at: closed_at? },
    })
}
