//! How an alert looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::alerts::{Alert, Severity};

/// Something an operator should look at.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Alert)]
pub struct AlertView {
    /// Identity.
    #[schema(example = "alr_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The pool that it is about, if it is about one.
    pub pool_id: Option<String>,
    /// What kind of trouble.
    #[schema(example = "round_refused")]
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// What happened and what to do.
    pub message: String,
    /// When it was first seen.
    #[serde(with = "wire::timestamp")]
    pub raised_at: OffsetDateTime,
    /// When it was last seen.
    #[serde(with = "wire::timestamp")]
    pub seen_at: OffsetDateTime,
    /// How often it was seen.
    pub times: i32,
    /// When it was over.
    #[serde(with = "wire::timestamp::option")]
    pub resolved_at: Option<OffsetDateTime>,
}

impl From<Alert> for AlertView {
    fn from(alert: Alert) -> Self {
        Self {
            id: alert.id.to_string(),
            pool_id: alert.pool.map(|pool| pool.to_string()),
            code: alert.code,
            severity: alert.severity,
            message: alert.message,
            raised_at: alert.raised_at,
            seen_at: alert.seen_at,
            times: alert.times,
            resolved_at: alert.resolved_at,
        }
    }
}
