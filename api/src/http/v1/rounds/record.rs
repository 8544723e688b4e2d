//! `GET /v1/pools/{id}/rounds/{number}/record`

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scheduler::record::text_hash;
use scheduler::world::ids::PoolId;

use super::RoundNumber;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Id, Public};
use crate::http::openapi::Refusals;
use crate::records::public;
use crate::store::rounds;

/// Download a round's record
///
/// Everything that decided the round and what it decided, in canonical JSON: `souk audit --file` plans it again and gets
/// the same plan. Tenants, demands and rentals are replaced by their ranks in this record, which changes nothing about
/// the outcome, for the market compares identities only to break ties. The SHA-256 of these bytes is `public_hash` in
/// the round's `header`, and the SHA-256 of `previous_hash` (32 bytes) followed by the header's text is the round's `hash`.
#[utoipa::path(tag = "market", operation_id = "get_round_record",
    params(("id" = String, Path, description = "The pool"), ("number" = i64, Path, description = "The round")),
    responses((status = 200, description = "The public record; its SHA-256 is also in `Repr-Digest`", content_type = "application/json", body = Object), Refusals),
    security(()))]
#[get("/v1/pools/{id}/rounds/{number}/record")]
pub async fn record(
    _: Public,
    id: Id<PoolId>,
    number: RoundNumber,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let texts = rounds::find_text(&mut tx, id.0, Some(number.0)).await?;
    let (record, ..) = texts.ok_or_else(|| Problem::not_found("round"))?;
    let public = public(&record);
    let digest = format!("sha-256=:{}:", STANDARD.encode(text_hash(&public)));
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header(("Repr-Digest", digest))
        // A round never changes.
        .insert_header(("Cache-Control", "public, max-age=31536000, immutable"))
        .body(public))
}
