//! `POST /v1/api-keys`

use std::collections::BTreeSet;

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::NewApiKeyView;
use crate::State;
use crate::app::create_api_key::{CreateApiKeyError, NewApiKey, create_api_key};
use crate::app::{Name, Scope};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Administer;

/// A new API key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateApiKey {
    /// What people call it.
    #[schema(example = "training cluster", min_length = 1, max_length = 100)]
    name: String,
    /// What it may be used for.
    #[schema(value_type = Vec<Scope>, example = json!(["read", "bids:write"]), min_items = 1)]
    scopes: BTreeSet<Scope>,
    /// When it ends; never if absent.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(example = "2027-01-31T12:00:00.000Z")]
    expires_at: Option<OffsetDateTime>,
}

/// Make an API key
///
/// The answer is the only place where the secret is ever shown. A key never does more than its maker's role allows.
#[utoipa::path(tag = "identity", operation_id = "create_api_key", request_body = CreateApiKey, responses((status = 201, body = NewApiKeyView), Refusals))]
#[post("/v1/api-keys")]
pub async fn create(
    allowed: Allowed<Administer>,
    body: Json<CreateApiKey>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let CreateApiKey { name, scopes, expires_at } = body.0;
    let name = Name::parse(&name)
        .ok_or_else(|| Problem::new(Code::InvalidValue, "a name has 1 to 100 characters").field("name"))?;
    let mut ctx = state.begin(allowed.caller).await?;
    let (key, secret) = create_api_key(&mut ctx, NewApiKey { name, scopes, expires_at }).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(NewApiKeyView::show(key, &secret)?))
}

impl From<CreateApiKeyError> for Problem {
    fn from(error: CreateApiKeyError) -> Self {
        match error {
            CreateApiKeyError::NoScope => Self::new(Code::InvalidValue, error).field("scopes"),
            CreateApiKeyError::ExpiresInThePast => Self::new(Code::InvalidValue, error).field("expires_at"),
            CreateApiKeyError::TooMany => Self::new(Code::LimitReached, error),
            CreateApiKeyError::Store(store) => store.into(),
        }
    }
}
