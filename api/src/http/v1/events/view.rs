//! How an event looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::events::Event;

/// Something that happened: the `data` of one server-sent event, whose `id` is its position and whose `event` its kind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub struct EventView<'a> {
    /// Identity, the same for every delivery.
    #[schema(example = "evt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What happened, as `noun.past_participle`.
    #[schema(example = "bid.opened")]
    pub kind: &'a str,
    /// The object that it is about.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub subject: &'a str,
    /// What changed.
    #[schema(value_type = Object)]
    pub body: &'a serde_json::Value,
    /// When it happened.
    #[serde(with = "wire::timestamp")]
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    pub created_at: OffsetDateTime,
}

/// One server-sent event.
#[derive(Debug, ToSchema)]
#[schema(as = EventMessage)]
#[expect(dead_code, reason = "written as text; this is its description")]
pub struct EventMessage {
    /// Its position: what `Last-Event-ID` takes. Absent from `gap`.
    #[schema(example = "4711")]
    id: Option<String>,
    /// The kind, as in the event itself, or `gap`.
    #[schema(example = "bid.opened")]
    event: String,
    /// An `Event` as JSON; `{}` for `gap`.
    data: String,
}

impl<'a> From<&'a Event> for EventView<'a> {
    fn from(event: &'a Event) -> Self {
        Self {
            id: event.id.to_string(),
            kind: &event.kind,
            subject: &event.subject,
            body: &event.body,
            created_at: event.created_at,
        }
    }
}
