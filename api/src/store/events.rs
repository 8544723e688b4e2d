//! The outbox: events are written in the transaction of their cause and numbered by the relay once they are committed.

use scheduler::world::ids::{EventId, OrganisationId, PoolId, ProviderId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};
use crate::entropy::least_id;

/// Something that happened, for whoever follows the organisation, the provider or the pool.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// Identity, the same for every delivery.
    pub id: EventId,
    /// The organisation that sees it, if any.
    pub organisation: Option<OrganisationId>,
    /// The provider that sees it, if any.
    pub provider: Option<ProviderId>,
    /// The pool whose public stream shows it, if any.
    pub pool: Option<PoolId>,
    /// `noun.past_participle`, for example `bid.opened`.
    pub kind: &'static str,
    /// The wire id of the object that it is about.
    pub subject: String,
    /// What changed.
    pub body: serde_json::Value,
}

/// Writes events into the outbox, in one statement.
pub async fn record(tx: &mut Tx, events: &[NewEvent], now: OffsetDateTime) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = events.iter().map(|event| event.id.uuid()).collect();
    let organisations: Vec<_> = events.iter().map(|event| event.organisation.map(|id| id.uuid())).collect();
    let providers: Vec<_> = events.iter().map(|event| event.provider.map(|id| id.uuid())).collect();
    let pools: Vec<_> = events.iter().map(|event| event.pool.map(|id| id.uuid())).collect();
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    let subjects: Vec<_> = events.iter().map(|event| event.subject.as_str()).collect();
    let bodies: Vec<_> = events.iter().map(|event| event.body.clone()).collect();
    sqlx::query(
        "INSERT INTO events (id, organisation_id, provider_id, pool_id, kind, subject, body, created_at)
         SELECT e.id, e.organisation_id, e.provider_id, e.pool_id, e.kind, e.subject, e.body, $8
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[])
              AS e (id, organisation_id, provider_id, pool_id, kind, subject, body)",
    )
    .bind(ids)
    .bind(organisations)
    .bind(providers)
    .bind(pools)
    .bind(kinds)
    .bind(subjects)
    .bind(bodies)
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// An event that has its number.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Event {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: EventId,
    /// Its place in the order that readers see.
    pub position: i64,
    /// The organisation that sees it, if any.
    pub organisation_id: Option<Uuid>,
    /// The organisation of the provider that sees it, if any.
    pub provider_organisation_id: Option<Uuid>,
    /// The pool whose public stream shows it, if any.
    pub pool_id: Option<Uuid>,
    /// What happened.
    pub kind: String,
    /// The wire id of the object that it is about.
    pub subject: String,
    /// What changed.
    pub body: serde_json::Value,
    /// When it happened.
    pub created_at: OffsetDateTime,
}

/// The last number that was given, locked until the transaction ends; `None` while another server gives numbers.
pub async fn lock_relay(tx: &mut Tx) -> Result<Option<i64>, StoreError> {
    let position =
        sqlx::query_scalar("SELECT position FROM relay FOR UPDATE SKIP LOCKED").fetch_optional(tx.conn()).await?;
    Ok(position)
}

/// Whether an event waits for its number.
pub async fn is_waiting(tx: &mut Tx) -> Result<bool, StoreError> {
    let waiting =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM events WHERE position IS NULL)").fetch_one(tx.conn()).await?;
    Ok(waiting)
}

/// Numbers waiting events from `after` on, without a gap, in the order of their ids. Answers the last number given.
/// The caller holds the relay's lock since an earlier statement, so this one sees all that was numbered before.
pub async fn number(tx: &mut Tx, after: i64, rows: i64) -> Result<i64, StoreError> {
    let position = sqlx::query_scalar(
        "WITH waiting AS (
             SELECT id FROM events WHERE position IS NULL ORDER BY id LIMIT $2
         ), next AS (
             SELECT id, $1 + row_number() OVER (ORDER BY id) AS position FROM waiting
         ), numbered AS (
             UPDATE events SET position = next.position FROM next WHERE events.id = next.id RETURNING events.id
         )
         UPDATE relay SET position = $1 + (SELECT count(*) FROM numbered) WHERE position = $1 RETURNING position",
    )
    .bind(after)
    .bind(rows)
    .fetch_one(tx.conn())
    .await?;
    Ok(position)
}

/// The last number that was given.
pub async fn position(tx: &mut Tx) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("SELECT position FROM relay").fetch_one(tx.conn()).await?)
}

/// The first number that is still kept, or the one that will be given next.
pub async fn first_kept(tx: &mut Tx) -> Result<i64, StoreError> {
    let first =
        sqlx::query_scalar("SELECT coalesce((SELECT min(position) FROM events), (SELECT position + 1 FROM relay))")
            .fetch_one(tx.conn())
            .await?;
    Ok(first)
}

/// Events after a number, whoever sees them.
pub async fn after(tx: &mut Tx, position: i64, rows: i64) -> Result<Vec<Event>, StoreError> {
    let events = sqlx::query_as(
        "SELECT e.id, e.position, e.organisation_id, p.organisation_id AS provider_organisation_id, e.pool_id, e.kind,
                e.subject, e.body, e.created_at
         FROM events e LEFT JOIN providers p ON p.id = e.provider_id
         WHERE e.position > $1 ORDER BY e.position LIMIT $2",
    )
    .bind(position)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(events)
}

/// An organisation's events after a number, with those of its providers.
pub async fn of_organisation(
    tx: &mut Tx,
    organisation: OrganisationId,
    position: i64,
    rows: i64,
) -> Result<Vec<Event>, StoreError> {
    let events = sqlx::query_as(
        "SELECT e.id, e.position, e.organisation_id, p.organisation_id AS provider_organisation_id, e.pool_id, e.kind,
                e.subject, e.body, e.created_at
         FROM (
             (SELECT position FROM events WHERE organisation_id = $1 AND position > $2 ORDER BY position LIMIT $3)
             UNION
             (SELECT position FROM events WHERE provider_id IN (SELECT id FROM providers WHERE organisation_id = $1)
              AND position > $2 ORDER BY position LIMIT $3)
         ) AS seen
         JOIN events e ON e.position = seen.position
         LEFT JOIN providers p ON p.id = e.provider_id
         ORDER BY e.position LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(position)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(events)
}

/// A pool's public events after a number.
pub async fn of_pool(tx: &mut Tx, pool: PoolId, position: i64, rows: i64) -> Result<Vec<Event>, StoreError> {
    let events = sqlx::query_as(
        "SELECT id, position, organisation_id, NULL::uuid AS provider_organisation_id, pool_id, kind, subject, body, created_at
         FROM events
         WHERE pool_id = $1 AND organisation_id IS NULL AND provider_id IS NULL AND position > $2
         ORDER BY position LIMIT $3",
    )
    .bind(pool.uuid())
    .bind(position)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(events)
}

/// Forgets some events that everybody has had time to read; answers how many. Their identities follow time, which saves an
/// index on it.
pub async fn forget(tx: &mut Tx, before: OffsetDateTime, rows: i64) -> Result<u64, StoreError> {
    let result = sqlx::query(
        "DELETE FROM events WHERE id IN (
             SELECT id FROM events WHERE id < $1 AND position IS NOT NULL ORDER BY id LIMIT $2)",
    )
    .bind(least_id(before))
    .bind(rows)
    .execute(tx.conn())
    .await?;
    Ok(result.rows_affected())
}
