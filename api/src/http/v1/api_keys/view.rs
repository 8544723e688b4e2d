//! How an API key looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::Scope;
use crate::entropy::Secret;
use crate::http::wire;
use crate::store::StoreError;
use crate::store::api_keys::ApiKey;

/// An API key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub struct ApiKeyView {
    /// Identity.
    #[schema(example = "key_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What people call it.
    #[schema(example = "training cluster")]
    pub name: String,
    /// The beginning of its secret, to recognise it by.
    #[schema(example = "souk_0yK5vYv")]
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Vec<Scope>,
    /// When it was made.
    #[serde(with = "wire::timestamp")]
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    pub created_at: OffsetDateTime,
    /// When it ends; null if it does not.
    #[serde(with = "wire::timestamp::option")]
    pub expires_at: Option<OffsetDateTime>,
    /// When it was last used, up to a minute late; null if never.
    #[serde(with = "wire::timestamp::option")]
    pub last_used_at: Option<OffsetDateTime>,
}

impl TryFrom<ApiKey> for ApiKeyView {
    type Error = StoreError;

    fn try_from(key: ApiKey) -> Result<Self, StoreError> {
        let parse = |name: &String| Scope::parse(name).ok_or_else(|| StoreError::corrupt("scope", name));
        Ok(Self {
            id: key.id.to_string(),
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes.iter().map(parse).collect::<Result<_, _>>()?,
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
        })
    }
}

/// A new API key, with its secret: shown this once and stored nowhere.
#[derive(Serialize, ToSchema)]
#[schema(as = NewApiKey)]
pub struct NewApiKeyView {
    /// The key.
    #[serde(flatten)]
    pub key: ApiKeyView,
    /// Send as `Authorization: Bearer …`.
    #[schema(example = "souk_0yK5vYv3XkQ1…")]
    pub secret: String,
}

impl NewApiKeyView {
    /// The one time that the secret is shown.
    pub fn show(key: ApiKey, secret: &Secret) -> Result<Self, StoreError> {
        Ok(Self { key: key.try_into()?, secret: secret.reveal().to_owned() })
    }
}
