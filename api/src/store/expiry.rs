//! What has run out of time.

use scheduler::world::ids::RentalId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// Rentals whose notice ran out so long ago that the pool's rounds should have released them: a round and `grace_seconds`.
pub async fn overdue_notices(
    tx: &mut Tx,
    now: OffsetDateTime,
    grace_seconds: i32,
    limit: i64,
) -> Result<Vec<RentalId>, StoreError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT r.id FROM rentals r JOIN pools p ON p.id = r.pool_id
         WHERE r.state = 'notice' AND r.notice_until + make_interval(secs => p.round_seconds + $2::int) < $1
         ORDER BY r.id LIMIT $3",
    )
    .bind(now)
    .bind(grace_seconds)
    .bind(limit)
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}

/// Removes quotes that nobody used and tickets for shells, long after they expired.
pub async fn forget_leftovers(tx: &mut Tx, before: OffsetDateTime, limit: i64) -> Result<u64, StoreError> {
    let quotes = sqlx::query(
        "DELETE FROM quotes WHERE id IN (
             SELECT q.id FROM quotes q WHERE q.expires_at < $1 AND NOT EXISTS (SELECT 1 FROM rentals r WHERE r.quote_id = q.id) LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(tx.conn())
    .await?;
    let tickets = sqlx::query(
        "DELETE FROM shell_tickets WHERE id IN (SELECT id FROM shell_tickets WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(tx.conn())
    .await?;
    Ok(quotes.rows_affected() + tickets.rows_affected())
}
