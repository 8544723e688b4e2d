//! Writing new bids, many at once.

use scheduler::world::ids::{EventId, HoldId, TransferId};
use scheduler::world::{ClassId, Micros};
use serde_json::json;

use crate::bid::Bid;
use crate::ledger::Transfer;
use crate::store::events::NewEvent;
use crate::store::idempotency::Record;
use crate::store::ledger::Posting;
use crate::store::{StoreError, Tx, events, ledger};

/// A new bid and everything that is written with it.
#[derive(Debug, Clone)]
pub struct PlacedBid<'a> {
    /// The bid.
    pub bid: &'a Bid,
    /// Identity of its hold.
    pub hold: HoldId,
    /// The currency of the hold.
    pub currency: &'a str,
    /// How much is set aside.
    pub amount: Micros,
    /// Identity of the transfer.
    pub transfer: TransferId,
    /// The transfer.
    pub moved: Transfer,
    /// Identity of the event.
    pub event: EventId,
    /// The caller's key.
    pub key: &'a str,
    /// What is kept under it.
    pub record: Record,
}

/// Writes bids, their holds, what those move, their events, and the replies under their keys.
pub async fn place(tx: &mut Tx, placed: &[PlacedBid<'_>]) -> Result<(), StoreError> {
    let Some(now) = placed.iter().map(|one| one.bid.created_at).max() else { return Ok(()) };
    insert(tx, placed).await?;
    let postings: Vec<_> = placed
        .iter()
        .map(|one| Posting { id: one.transfer, transfer: one.moved.clone(), currency: one.currency.to_owned() })
        .collect();
    ledger::post_all(tx, &postings, now).await?;
    events::record(tx, &placed.iter().map(opened).collect::<Vec<_>>(), now).await
}

async fn insert(tx: &mut Tx, placed: &[PlacedBid<'_>]) -> Result<(), StoreError> {
    let bids = || placed.iter().map(|one| one.bid);
    sqlx::query(
        "WITH placed AS (
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::bigint[],
                    $9::text[], $10::boolean[], $11::timestamptz[], $12::timestamptz[], $13::uuid[], $14::text[], $15::text[],
                    $16::bigint[], $17::text[], $18::text[], $19::bytea[], $20::int[], $21::text[])
                 AS p (id, organisation_id, pool_id, created_by, request, classes, gang, limit_micros, command, reenter, ends_at,
                       created_at, hold_id, subject, currency, held_micros, key, operation, fingerprint, status, reply)
         ), bid AS (
             INSERT INTO bids (id, organisation_id, pool_id, created_by, request, class_ids, gang, limit_micros_per_hour,
                               command, reenter, ends_at, state, created_at)
             SELECT id, organisation_id, pool_id, created_by, request, string_to_array(classes, ','), gang, limit_micros,
                    command, reenter, ends_at, 'open', created_at FROM placed
         ), hold AS (
             INSERT INTO holds (id, organisation_id, currency, subject, remaining_micros, state, created_at)
             SELECT hold_id, organisation_id, currency, subject, held_micros, 'active', created_at FROM placed
         )
         INSERT INTO idempotency_records (organisation_id, key, operation, fingerprint, status, reply, created_at)
         SELECT organisation_id, key, operation, fingerprint, status, reply, created_at FROM placed",
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
    .bind(placed.iter().map(|one| one.hold.uuid()).collect::<Vec<_>>())
    .bind(bids().map(|bid| bid.id.to_string()).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.currency).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.amount.get()).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.key).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.record.operation.as_str()).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.record.fingerprint.as_slice()).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.record.status).collect::<Vec<_>>())
    .bind(placed.iter().map(|one| one.record.reply.as_str()).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Class keys contain no commas.
fn joined(classes: &[ClassId]) -> String {
    classes.iter().map(ClassId::as_str).collect::<Vec<_>>().join(",")
}

fn opened(placed: &PlacedBid<'_>) -> NewEvent {
    let bid = placed.bid;
    NewEvent {
        id: placed.event,
        organisation: Some(bid.organisation),
        provider: None,
        pool: None,
        kind: "bid.opened",
        subject: bid.id.to_string(),
        body: json!({"state": "open", "gang": bid.gang, "limit_per_gpu_hour": bid.limit.to_string()}),
    }
}
