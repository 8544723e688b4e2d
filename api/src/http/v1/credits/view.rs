//! How a transfer looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;

/// Money that moved.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Transfer)]
pub struct TransferView {
    /// Identity.
    #[schema(example = "trf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Why it moved.
    #[schema(example = "credit")]
    pub kind: &'static str,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// How much.
    #[schema(example = "100.00")]
    pub amount: String,
    /// What it is for.
    #[schema(example = "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub subject: String,
    /// The reason, in words.
    #[schema(example = "launch credit")]
    pub reason: String,
    /// When it moved.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}
