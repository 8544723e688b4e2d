//! Adding a round to its pool's chain. Rows are never changed afterwards: a trigger refuses it.

use time::OffsetDateTime;

use crate::records::Texts;
use crate::records::{GENESIS, Header};
use crate::store::pool_leases::{self, Head, Leadership};
use crate::store::{StoreError, Tx};

/// A round to add, already bound by its header.
#[derive(Debug, Clone)]
pub struct NewRound<'a> {
    /// The header.
    pub header: &'a Header,
    /// Its canonical text.
    pub header_text: &'a str,
    /// What it binds.
    pub texts: &'a Texts,
    /// When it was cleared: the header's instant.
    pub cleared_at: OffsetDateTime,
    /// Hash of the plan, as in the header.
    pub plan_hash: [u8; 32],
}

/// Adds the round after `head`, proves the fencing token once more and moves the head.
pub async fn insert(tx: &mut Tx, leadership: Leadership, head: Head, round: &NewRound<'_>) -> Result<Head, StoreError> {
    let header = round.header;
    let previous = if head.number == 0 { GENESIS } else { head.hash };
    let hash = Header::chain(&previous, round.header_text);
    sqlx::query(
        "INSERT INTO rounds (id, pool_id, number, cleared_at, cause, fencing_token, plan_millis, summary, applied, record, header,
                             plan_hash, previous_hash, hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9, $10, $11, $12, $13, $14)",
    )
    .bind(header.id.uuid())
    .bind(header.pool.uuid())
    .bind(header.number)
    .bind(round.cleared_at)
    .bind(header.cause.as_str())
    .bind(header.fencing_token)
    .bind(header.plan_millis)
    .bind(&round.texts.summary)
    .bind(&round.texts.applied)
    .bind(&round.texts.record)
    .bind(round.header_text)
    .bind(round.plan_hash.as_slice())
    .bind(previous.as_slice())
    .bind(hash.as_slice())
    .execute(tx.conn())
    .await?;
    let next = Head { number: header.number, hash };
    pool_leases::advance(tx, leadership, head.number, next).await?;
    Ok(next)
}
