//! A provider makes a one-use token by which a node enrols itself.

use scheduler::world::ids::{EnrolmentTokenId, PoolId, ProviderId};
use time::OffsetDateTime;

use super::Ctx;
use crate::config::limits;
use crate::entropy::Secret;
use crate::store::enrolment_tokens::{self, NewToken};
use crate::store::{StoreError, pools, providers};

/// What every enrolment token begins with.
pub const PREFIX: &str = "enrol_";

/// A token, in clear for the one time that it is shown.
#[derive(Debug)]
pub struct EnrolmentToken {
    /// Identity.
    pub id: EnrolmentTokenId,
    /// The secret.
    pub secret: Secret,
    /// Until when it can be used.
    pub expires_at: OffsetDateTime,
}

/// Why no token was made.
#[derive(Debug, thiserror::Error)]
pub enum EnrolmentTokenError {
    /// No such provider of the organisation.
    #[error("there is no such provider")]
    NoSuchProvider,
    /// No such pool.
    #[error("there is no such pool; GET /v1/pools lists them")]
    NoSuchPool,
    /// The provider is paid in another currency than the pool's.
    #[error("the pool trades in {pool} and the provider is paid in {provider}; choose a pool in {provider}")]
    OtherCurrency {
        /// The pool's currency.
        pool: String,
        /// The provider's currency.
        provider: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the token. Only its hash is kept.
pub async fn create_enrolment_token(
    ctx: &mut Ctx<'_>,
    provider: ProviderId,
    pool: PoolId,
) -> Result<EnrolmentToken, EnrolmentTokenError> {
    let organisation = ctx.caller.organisation;
    let provider =
        providers::find(&mut ctx.tx, organisation, provider).await?.ok_or(EnrolmentTokenError::NoSuchProvider)?;
    let pool = pools::find(&mut ctx.tx, pool).await?.ok_or(EnrolmentTokenError::NoSuchPool)?;
    if pool.currency != provider.currency {
        return Err(EnrolmentTokenError::OtherCurrency { pool: pool.currency, provider: provider.currency });
    }
    let (id, secret) = (ctx.id(), ctx.entropy.secret(PREFIX));
    let expires_at = ctx.now + limits::ENROLMENT_TOKEN;
    let token =
        NewToken { id, provider: provider.id, pool: pool.id, hash: secret.hash(), created_at: ctx.now, expires_at };
    enrolment_tokens::insert(&mut ctx.tx, &token).await?;
    Ok(EnrolmentToken { id, secret, expires_at })
}
