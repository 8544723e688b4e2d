//! The outbox: events are written in the transaction of their cause and numbered by the relay once they are committed.

use scheduler::world::ids::{EventId, OrganisationId, PoolId, ProviderId};
use time::OffsetDateTime;

use super::{StoreError, Tx};

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
