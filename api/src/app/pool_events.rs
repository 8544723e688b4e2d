//! The events by which everybody follows a pool's settings.

use serde_json::json;

use super::Ctx;
use crate::job::spell_cap;
use crate::store::events::NewEvent;
use crate::store::pools::Pool;

/// What is told about a pool: all of its settings, as they are now.
#[must_use]
pub fn of_pool(ctx: &Ctx<'_>, kind: &'static str, pool: &Pool) -> NewEvent {
    let settings = &pool.settings;
    NewEvent {
        id: ctx.id(),
        organisation: None,
        provider: None,
        pool: Some(pool.id),
        kind,
        subject: pool.id.to_string(),
        body: json!({
            "pool_id": pool.id, "name": pool.name, "currency": pool.currency, "version": pool.version,
            "share_policy": settings.share_policy.as_str(), "tilt": settings.tilt.as_str(), "price_rule": settings.price_rule.as_str(),
            "round_seconds": settings.round_seconds, "notice_seconds": settings.notice_seconds,
            "min_run_seconds": settings.min_run_seconds, "restart_seconds": settings.restart_seconds,
            "fee_bps": settings.fee_bps, "phi_ppm": settings.phi_ppm,
            "limit_cap_per_gpu_hour": settings.limit_cap.to_string(),
            "admission_cap": settings.admission_cap_milli.map(spell_cap),
        }),
    }
}
