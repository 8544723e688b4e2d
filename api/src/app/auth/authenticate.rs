//! From what a request presents to a caller. In memory, except for an API key that was not presented lately.

use sqlx::PgPool;
use time::OffsetDateTime;

use super::{Identity, KEY_PREFIX, TokenError};
use crate::app::Caller;
use crate::entropy::Secret;
use crate::store::StoreError;

/// Why nobody was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallerRefused {
    /// The access token does not count.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The access token was withdrawn before its end.
    #[error("this access token was withdrawn: the session was ended or your role has changed; refresh the session")]
    Withdrawn,
    /// The API key does not count.
    #[error("this API key does not exist, was revoked or has expired")]
    ApiKey,
}

impl Identity {
    /// The caller that presents this access token or API key.
    pub async fn caller(
        &self,
        db: &PgPool,
        bearer: &str,
        now: OffsetDateTime,
    ) -> Result<Result<Caller, CallerRefused>, StoreError> {
        if bearer.starts_with(KEY_PREFIX) {
            let caller = self.api_keys.authenticate(db, &Secret::presented(bearer), now).await?;
            return Ok(caller.ok_or(CallerRefused::ApiKey));
        }
        let mut verified = self.keys.verify(bearer, now);
        if verified == Err(TokenError::UnknownKey) && self.may_follow(now) {
            // Another server has just rotated the keys.
            self.follow(db, now).await?;
            verified = self.keys.verify(bearer, now);
        }
        Ok(match verified {
            Ok(claims) if self.refused.contains(claims.jti) => Err(CallerRefused::Withdrawn),
            Ok(claims) => Ok(claims.caller()),
            Err(error) => Err(error.into()),
        })
    }
}
