//! A program gets a key of its own.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::auth::KEY_PREFIX;
use super::{Ctx, Name, Scope};
use crate::config::limits;
use crate::entropy::Secret;
use crate::store::StoreError;
use crate::store::api_keys::{self, ApiKey};

/// What is asked of a new key.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// What people call it.
    pub name: Name,
    /// What it may be used for.
    pub scopes: BTreeSet<Scope>,
    /// When it ends, if it does.
    pub expires_at: Option<OffsetDateTime>,
}

/// Why no key was made.
#[derive(Debug, thiserror::Error)]
pub enum CreateApiKeyError {
    /// A key that may do nothing is a mistake.
    #[error("name at least one scope")]
    NoScope,
    /// It would never have counted.
    #[error("a key ends in the future, or never if you leave this out")]
    ExpiresInThePast,
    /// The organisation has too many keys.
    #[error("an organisation has at most {} API keys; revoke one first", limits::API_KEYS_PER_ORGANISATION)]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a key. The secret is in the answer and nowhere else, ever.
pub async fn create_api_key(ctx: &mut Ctx<'_>, wanted: NewApiKey) -> Result<(ApiKey, Secret), CreateApiKeyError> {
    if wanted.scopes.is_empty() {
        return Err(CreateApiKeyError::NoScope);
    }
    if wanted.expires_at.is_some_and(|at| at <= ctx.now) {
        return Err(CreateApiKeyError::ExpiresInThePast);
    }
    let organisation = ctx.caller.organisation;
    if api_keys::count(&mut ctx.tx, organisation).await? >= limits::API_KEYS_PER_ORGANISATION {
        return Err(CreateApiKeyError::TooMany);
    }
    let secret = ctx.entropy.secret(KEY_PREFIX);
    let key = ApiKey {
        id: ctx.id(),
        name: wanted.name.as_str().to_owned(),
        prefix: secret.reveal().chars().take(SHOWN).collect(),
        scopes: wanted.scopes.into_iter().map(|scope| scope.as_str().to_owned()).collect(),
        created_at: ctx.now,
        expires_at: wanted.expires_at,
        last_used_at: None,
    };
    api_keys::insert(&mut ctx.tx, organisation, ctx.caller.user, &key, &secret.hash()).await?;
    Ok((key, secret))
}

/// Characters of a key by which people recognise it later: 42 bits of 256, and no help in guessing the rest.
const SHOWN: usize = 12;
