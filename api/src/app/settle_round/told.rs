//! The events of a round: what its pool, its tenants and its providers are told.

use std::collections::BTreeMap;

use scheduler::RoundRecord;
use scheduler::world::DemandId;
use scheduler::world::ids::OrganisationId;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::apply::Placed;
use super::recheck::Decision;
use crate::clock::{from_at, rfc3339};
use crate::entropy::Entropy;
use crate::store::events::NewEvent;

/// Everything that happened, in the order of its importance to a reader.
pub(super) fn told(
    entropy: &dyn Entropy,
    record: &RoundRecord,
    decision: &Decision<'_>,
    placed: &[Placed<'_>],
    now: OffsetDateTime,
) -> Vec<NewEvent> {
    let mut told = vec![cleared(entropy, record, decision, placed, now)];
    told.extend(prices(entropy, record, now));
    for placed in placed {
        told.extend(started(entropy, record, placed, now));
    }
    told.extend(warned(entropy, record, decision, now));
    told
}

fn cleared(
    entropy: &dyn Entropy,
    record: &RoundRecord,
    decision: &Decision<'_>,
    placed: &[Placed<'_>],
    now: OffsetDateTime,
) -> NewEvent {
    let prices =
        record.plan.prices.iter().filter_map(|class| {
            Some(json!({ "class_id": class.class, "price_per_gpu_hour": class.price?.to_string() }))
        });
    let body = json!({
        "number": record.number,
        "granted": placed.len(),
        "evicted": decision.notices.len(),
        "prices": prices.collect::<Vec<_>>(),
    });
    of_pool(entropy, record, "round.cleared", body, now)
}

fn prices(entropy: &dyn Entropy, record: &RoundRecord, now: OffsetDateTime) -> Vec<NewEvent> {
    let before: BTreeMap<_, _> =
        record.snapshot.classes.iter().map(|class| (&class.id, class.previous_price)).collect();
    let changed = record.plan.prices.iter().filter_map(|class| {
        let (price, before) = (class.price?, before.get(&class.class).copied().flatten());
        (before != Some(price)).then(|| {
            let body = json!({
                "class_id": class.class,
                "price_per_gpu_hour": price.to_string(),
                "previous_price_per_gpu_hour": before.map(|price| price.to_string()),
                "round_number": record.number,
            });
            of_pool(entropy, record, "price.changed", body, now)
        })
    });
    changed.collect()
}

fn started(entropy: &dyn Entropy, record: &RoundRecord, placed: &Placed<'_>, now: OffsetDateTime) -> Vec<NewEvent> {
    let grant = placed.grant;
    let body = json!({
        "state": "provisioning",
        "demand": grant.demand,
        "class_id": grant.class,
        "node_id": grant.node,
        "devices": grant.devices.len(),
        "price_per_gpu_hour": grant.price.to_string(),
        "round_number": record.number,
    });
    let rental = of_tenant(entropy, placed.owner, "rental.provisioning", placed.rental.to_string(), body, now);
    let kind = match grant.demand {
        DemandId::OnDemand(_) => return vec![rental],
        DemandId::Bid(_) => "bid.allocated",
        DemandId::Job(_) => "job.running",
    };
    let state = if kind == "bid.allocated" { "allocated" } else { "running" };
    let body = json!({
        "state": state,
        "rental_id": placed.rental,
        "class_id": grant.class,
        "price_per_gpu_hour": grant.price.to_string(),
        "why": grant.why,
        "round_number": record.number,
    });
    vec![of_tenant(entropy, placed.owner, kind, grant.demand.to_string(), body, now), rental]
}

fn warned(entropy: &dyn Entropy, record: &RoundRecord, decision: &Decision<'_>, now: OffsetDateTime) -> Vec<NewEvent> {
    let owners: BTreeMap<_, _> =
        record.snapshot.holdings.iter().map(|holding| (holding.rental, holding.owner)).collect();
    let mut told = Vec::new();
    for eviction in &decision.notices {
        let Some(owner) = owners.get(&eviction.rental).copied() else { continue };
        let body = json!({
            "state": "notice",
            "notice_until": rfc3339(from_at(eviction.notice_until)),
            "because": eviction.because,
            "round_number": record.number,
        });
        told.push(of_tenant(entropy, owner, "rental.notice", eviction.rental.to_string(), body.clone(), now));
        if let DemandId::Bid(bid) = eviction.demand {
            told.push(of_tenant(entropy, owner, "bid.notice", bid.to_string(), body, now));
        }
    }
    told
}

fn of_pool(
    entropy: &dyn Entropy,
    record: &RoundRecord,
    kind: &'static str,
    body: Value,
    now: OffsetDateTime,
) -> NewEvent {
    NewEvent {
        id: entropy.id(now),
        organisation: None,
        provider: None,
        pool: Some(record.pool),
        kind,
        subject: record.pool.to_string(),
        body,
    }
}

fn of_tenant(
    entropy: &dyn Entropy,
    owner: OrganisationId,
    kind: &'static str,
    subject: String,
    body: Value,
    now: OffsetDateTime,
) -> NewEvent {
    NewEvent { id: entropy.id(now), organisation: Some(owner), provider: None, pool: None, kind, subject, body }
}
