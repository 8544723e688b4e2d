//! Writing new bids, many at once, in one statement: the hottest of the house.

use scheduler::world::ids::{EventId, HoldId, TransferId};
use scheduler::world::{ClassId, Micros};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::bid::Bid;
use crate::store::StoreError;
use crate::store::idempotency::Record;

/// A new bid and everything that is written with it.
#[derive(Debug, Clone)]
pub struct NewBid<'a> {
    /// The bid.
    pub bid: &'a Bid,
    /// Identity of its hold.
    pub hold: HoldId,
    /// The currency of the hold.
    pub currency: &'a str,
    /// How much is set aside.
    pub amount: Micros,
    /// Identity of the transfer that sets it aside.
    pub transfer: TransferId,
    /// Identity of the event.
    pub event: EventId,
    /// The caller's key. No two of one organisation are the same among bids placed together.
    pub key: &'a str,
    /// What is kept under it.
    pub record: Record,
}

/// What became of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// It is in the book, and its money is set aside.
    Yes,
    /// Its key was used before. Nothing was written for it.
    KeyUsed,
    /// The wallet did not cover it and those placed together before it. Nothing was written for it.
    Short {
        /// What the wallet had before any of them.
        available: Micros,
    },
    /// There is no wallet in that currency. Nothing was written for it.
    NoWallet,
}

/// Writes bids, their holds, the transfers and their entries, the events, and the replies under their keys, and says of
/// each what became of it.
///
/// One statement, because every round trip is paid by all who wait; outside of a transaction block it is a transaction of
/// its own, and committed when it returns. It locks the wallets in the order of their ids, counts
/// how far each reaches, claims the keys of what it covers, and writes for those whose keys were free.
pub async fn place(db: &PgPool, new: &[NewBid<'_>]) -> Result<Vec<Placed>, StoreError> {
    let bids = || new.iter().map(|one| one.bid);
    let rows: Vec<(Option<i64>, bool, bool)> = sqlx::query_as(
        "WITH asked AS MATERIALIZED (
             SELECT *, sum(held) OVER (PARTITION BY organisation_id, currency ORDER BY ordinal) AS held_together
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::bigint[], $9::text[],
                         $10::boolean[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::uuid[], $15::text[], $16::bigint[],
                         $17::uuid[], $18::uuid[], $19::jsonb[], $20::text[], $21::text[], $22::bytea[], $23::int[], $24::text[])
                  WITH ORDINALITY AS a (
                         id, organisation_id, pool_id, created_by, request, class_ids, gang, limit_micros, command,
                         reenter, ends_at, created_at, subject, hold_id, currency, held,
                         transfer_id, event_id, event_body, key, operation, fingerprint, status, reply, ordinal)
         ), purse AS MATERIALIZED (
             SELECT id, organisation_id, currency, kind, balance_micros FROM accounts
             WHERE organisation_id = ANY ($2) AND kind IN ('tenant_available', 'tenant_held')
             ORDER BY id FOR UPDATE
         ), covered AS MATERIALIZED (
             SELECT asked.ordinal, purse.balance_micros AS available, asked.held_together <= purse.balance_micros AS covers
             FROM asked JOIN purse USING (organisation_id, currency) WHERE purse.kind = 'tenant_available'
         ), claimed AS (
             INSERT INTO idempotency_records (organisation_id, key, operation, fingerprint, status, reply, created_at)
             SELECT organisation_id, key, operation, fingerprint, status, reply, created_at
             FROM asked JOIN covered USING (ordinal) WHERE covers
             ON CONFLICT DO NOTHING RETURNING organisation_id, key
         ), placed AS MATERIALIZED (
             SELECT asked.* FROM asked JOIN claimed USING (organisation_id, key)
         ), bid AS (
             INSERT INTO bids (id, organisation_id, pool_id, created_by, request, class_ids, gang, limit_micros_per_hour,
                               command, reenter, ends_at, state, created_at)
             SELECT id, organisation_id, pool_id, created_by, request, string_to_array(class_ids, ','), gang, limit_micros,
                    command, reenter, ends_at, 'open', created_at FROM placed
         ), hold AS (
             INSERT INTO holds (id, organisation_id, currency, subject, remaining_micros, state, created_at)
             SELECT hold_id, organisation_id, currency, subject, held, 'active', created_at FROM placed
         ), transfer AS (
             INSERT INTO transfers (id, kind, currency, subject, reason, created_at)
             SELECT transfer_id, 'hold', currency, subject, 'bid placed', created_at FROM placed
         ), leg AS MATERIALIZED (
             SELECT placed.transfer_id, purse.id AS account_id, placed.created_at,
                    CASE purse.kind WHEN 'tenant_held' THEN placed.held ELSE -placed.held END AS amount
             FROM placed JOIN purse USING (organisation_id, currency)
         ), entry AS (
             INSERT INTO entries (transfer_id, account_id, amount_micros, created_at)
             SELECT transfer_id, account_id, amount, created_at FROM leg
         ), moved AS (
             UPDATE accounts SET balance_micros = balance_micros + total.amount
             FROM (SELECT account_id, sum(amount)::bigint AS amount FROM leg GROUP BY account_id) AS total
             WHERE accounts.id = total.account_id
         ), event AS (
             INSERT INTO events (id, organisation_id, kind, subject, body, created_at)
             SELECT event_id, organisation_id, 'bid.opened', subject, event_body, created_at FROM placed
         )
         SELECT covered.available, coalesce(covered.covers, FALSE), placed.ordinal IS NOT NULL
         FROM asked LEFT JOIN covered USING (ordinal) LEFT JOIN placed USING (ordinal) ORDER BY asked.ordinal",
    )
    .bind(bids().map(|bid| bid.id.uuid()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.organisation.uuid()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.pool.uuid()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.created_by.uuid()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.request.as_str()).collect::<Vec<_>>())
    .bind(bids().map(|bid| joined(&bid.classes)).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.gang).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.limit.micros()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.command.as_deref()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.reenter).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.ends_at).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.created_at).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.id.to_string()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.hold.uuid()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.currency).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.amount.get()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.transfer.uuid()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.event.uuid()).collect::<Vec<_>>())
    .bind(bids().map(opened).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.key).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.record.operation.as_str()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.record.fingerprint.as_slice()).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.record.status).collect::<Vec<_>>())
    .bind(new.iter().map(|one| one.record.reply.as_str()).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(placed).collect())
}

fn placed((available, covers, placed): (Option<i64>, bool, bool)) -> Placed {
    match available.map(Micros::new) {
        _ if placed => Placed::Yes,
        None => Placed::NoWallet,
        Some(_) if covers => Placed::KeyUsed,
        Some(available) => Placed::Short { available },
    }
}

/// Class keys contain no commas.
fn joined(classes: &[ClassId]) -> String {
    classes.iter().map(ClassId::as_str).collect::<Vec<_>>().join(",")
}

fn opened(bid: &Bid) -> Value {
    json!({"state": "open", "gang": bid.gang, "limit_per_gpu_hour": bid.limit.to_string()})
}
