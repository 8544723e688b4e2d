//! Who may clear a pool: one row per pool, with a fencing token that every change of leader raises.

use scheduler::world::ids::PoolId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// The right to clear a pool, as long as nobody has taken it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Leadership {
    /// The pool.
    #[sqlx(try_from = "Uuid")]
    pub pool_id: PoolId,
    /// Raised whenever the leader changes: what an older token writes is refused.
    pub fencing_token: i64,
}

/// The end of a pool's chain of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Number of the last round; 0 before the first.
    pub number: i64,
    /// Its hash; zero bytes before the first.
    pub hash: [u8; 32],
}

/// Takes or keeps every pool that nobody else leads, and returns the pools that `holder` leads now. A lease is renewed
/// once it is past `renew_before`; a pool is taken over when its lease has expired.
pub async fn lead(
    tx: &mut Tx,
    holder: Uuid,
    now: OffsetDateTime,
    renew_before: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> Result<Vec<Leadership>, StoreError> {
    let led = sqlx::query_as(
        "WITH renewed AS (
             INSERT INTO pool_leases AS lease (pool_id, holder, fencing_token, expires_at)
             SELECT p.id, $1, 1, $4 FROM pools p
             WHERE NOT EXISTS (SELECT 1 FROM pool_leases l WHERE l.pool_id = p.id AND l.expires_at > CASE WHEN l.holder = $1 THEN $3::timestamptz ELSE $2::timestamptz END)
             ORDER BY p.id
             ON CONFLICT (pool_id) DO UPDATE SET
                 fencing_token = lease.fencing_token + CASE WHEN lease.holder = $1 AND lease.expires_at > $2 THEN 0 ELSE 1 END,
                 holder = $1,
                 expires_at = $4
             WHERE lease.holder = $1 OR lease.expires_at <= $2
             RETURNING pool_id, fencing_token
         )
         SELECT pool_id, fencing_token FROM renewed
         UNION ALL
         SELECT pool_id, fencing_token FROM pool_leases WHERE holder = $1 AND expires_at > $3
         ORDER BY pool_id",
    )
    .bind(holder)
    .bind(now)
    .bind(renew_before)
    .bind(expires_at)
    .fetch_all(tx.conn())
    .await?;
    Ok(led)
}

/// Gives up every pool that `holder` leads, so that another server need not wait for the leases to expire.
pub async fn resign(tx: &mut Tx, holder: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("UPDATE pool_leases SET expires_at = $2 WHERE holder = $1 AND expires_at > $2")
        .bind(holder)
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Proves the fencing token and locks the lease row until the end of the transaction: whoever wants to take the pool
/// over waits, and sees this round when it reads. `None` when the token is stale.
pub async fn prove(tx: &mut Tx, leadership: Leadership) -> Result<Option<Head>, StoreError> {
    let row: Option<(i64, Vec<u8>)> = sqlx::query_as(
        "SELECT last_number, last_hash FROM pool_leases WHERE pool_id = $1 AND fencing_token = $2 FOR NO KEY UPDATE",
    )
    .bind(leadership.pool_id.uuid())
    .bind(leadership.fencing_token)
    .fetch_optional(tx.conn())
    .await?;
    row.map(|(number, hash)| {
        let hash = hash.try_into().map_err(|_| StoreError::corrupt("head of a pool's rounds", "not 32 bytes"))?;
        Ok(Head { number, hash })
    })
    .transpose()
}

/// Moves the head of the pool's chain to the round just written.
pub async fn advance(tx: &mut Tx, leadership: Leadership, from: i64, to: Head) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE pool_leases SET last_number = $4, last_hash = $5
         WHERE pool_id = $1 AND fencing_token = $2 AND last_number = $3",
    )
    .bind(leadership.pool_id.uuid())
    .bind(leadership.fencing_token)
    .bind(from)
    .bind(to.number)
    .bind(to.hash.as_slice())
    .execute(tx.conn())
    .await?;
    super::tx::exactly_one("head of a pool's rounds", &result)
}
