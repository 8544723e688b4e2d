//! Metered intervals, as their payer sees them.

use scheduler::world::ids::{OrganisationId, RentalId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// One closed interval of one rental.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct UsageInterval {
    /// Identity.
    pub id: Uuid,
    /// The rental.
    pub rental_id: Uuid,
    /// The class of its devices.
    pub class_id: String,
    /// How many.
    pub devices: i32,
    /// Per device and hour.
    pub price_micros_per_hour: i64,
    /// Where it begins.
    pub starts_at: OffsetDateTime,
    /// Where it ends.
    pub ends_at: OffsetDateTime,
    /// What was paid.
    pub amount_micros: i64,
    /// The currency.
    pub currency: String,
    /// The payment; none where the amount is below a micro-unit.
    pub transfer_id: Option<Uuid>,
}

/// Which intervals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// Of this rental only.
    pub rental: Option<RentalId>,
    /// Those that end after this.
    pub from: Option<OffsetDateTime>,
    /// Those that begin before this.
    pub to: Option<OffsetDateTime>,
}

/// An organisation's intervals, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    filter: Filter,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<UsageInterval>, StoreError> {
    let intervals = sqlx::query_as(
        "SELECT u.id, u.rental_id, u.class_id, u.devices, u.price_micros_per_hour, u.starts_at, u.ends_at,
                u.amount_micros, p.currency, u.transfer_id
         FROM usage_intervals u JOIN pools p ON p.id = u.pool_id
         WHERE u.organisation_id = $1 AND ($2::uuid IS NULL OR u.rental_id = $2)
           AND ($3::timestamptz IS NULL OR u.ends_at > $3) AND ($4::timestamptz IS NULL OR u.starts_at < $4)
           AND ($5::uuid IS NULL OR u.id < $5)
         ORDER BY u.id DESC LIMIT $6",
    )
    .bind(organisation.uuid())
    .bind(filter.rental.map(RentalId::uuid))
    .bind(filter.from)
    .bind(filter.to)
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(intervals)
}
