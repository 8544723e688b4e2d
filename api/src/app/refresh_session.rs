//! A session goes on: the refresh token is consumed and the next one handed out, perhaps for another organisation.

use scheduler::world::ids::OrganisationId;
use time::OffsetDateTime;

use super::auth::{self, Identity, Session, Subject};
use super::{Ctx, Nobody};
use crate::config::limits;
use crate::entropy::Secret;
use crate::store::refresh_tokens::{self, RefreshToken};
use crate::store::{StoreError, organisations, users};

/// What became of a refresh token that was presented. Either is committed.
#[derive(Debug)]
pub enum Refreshed {
    /// The session goes on.
    Continued(Box<Session>),
    /// A consumed token came back: somebody else holds a copy, so the whole log-in was ended.
    Stolen,
}

/// Why a session did not go on. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// Unknown, expired, or its log-in was ended.
    #[error("this refresh token is not valid any more; log in again")]
    Invalid,
    /// Two requests presented the token at once, and the other one got the new tokens.
    #[error("this session was refreshed a moment ago by another request; use the tokens that it got")]
    Raced,
    /// The person does not belong to the organisation it wants to act for.
    #[error("you are not a member of that organisation; name another one in organisation_id, or log in again")]
    NotAMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Consumes the token and opens the next session of the same log-in.
pub async fn refresh_session(
    ctx: &mut Ctx<'_, Nobody>,
    identity: &Identity,
    presented: &Secret,
    switch_to: Option<OrganisationId>,
) -> Result<Refreshed, RefreshError> {
    let token = refresh_tokens::find(&mut ctx.tx, &presented.hash()).await?.ok_or(RefreshError::Invalid)?;
    match judge(&token, ctx.now) {
        Verdict::Good => {}
        Verdict::Ended => return Err(RefreshError::Invalid),
        Verdict::Raced => return Err(RefreshError::Raced),
        Verdict::Stolen => {
            let ended = refresh_tokens::end_family(&mut ctx.tx, token.family, ctx.now).await?;
            identity.refused.add(ended);
            return Ok(Refreshed::Stolen);
        }
    }
    if !refresh_tokens::consume(&mut ctx.tx, token.id, ctx.now).await? {
        return Err(RefreshError::Raced);
    }
    let organisation = switch_to.unwrap_or(token.organisation);
    let membership = organisations::membership(&mut ctx.tx, token.user, organisation).await?;
    let membership = membership.ok_or(RefreshError::NotAMember)?;
    let user = users::find(&mut ctx.tx, token.user).await?.ok_or(RefreshError::Invalid)?;
    let subject = Subject::new(user, membership)?;
    Ok(Refreshed::Continued(Box::new(auth::open(ctx, &identity.keys, subject, token.family).await?)))
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Ended,
    Raced,
    Stolen,
}

/// Two tabs of one browser refresh at the same moment: a token that comes back within seconds of its use is refused
/// without alarm. Later, only a copy can come back.
fn judge(token: &RefreshToken, now: OffsetDateTime) -> Verdict {
    match token.consumed_at {
        _ if token.revoked_at.is_some() || token.expires_at <= now => Verdict::Ended,
        None => Verdict::Good,
        Some(consumed_at) if now - consumed_at <= limits::REFRESH_GRACE => Verdict::Raced,
        Some(_) => Verdict::Stolen,
    }
}

#[cfg(test)]
mod tests {
    use scheduler::world::ids::{SessionId, UserId};
    use time::Duration;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_token_is_good_once_and_an_alarm_later() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let fresh = RefreshToken {
            id: Uuid::nil(),
            family: SessionId::from_uuid(Uuid::nil()),
            user: UserId::from_uuid(Uuid::nil()),
            organisation: OrganisationId::from_uuid(Uuid::nil()),
            expires_at: now + Duration::days(1),
            consumed_at: None,
            revoked_at: None,
        };
        let consumed = |seconds| RefreshToken { consumed_at: Some(now - Duration::seconds(seconds)), ..fresh.clone() };
        let revoked = RefreshToken { revoked_at: Some(now), ..consumed(60) };
        assert_eq!(judge(&fresh, now), Verdict::Good);
        assert_eq!(judge(&fresh, now + Duration::days(1)), Verdict::Ended);
        assert_eq!(judge(&consumed(10), now), Verdict::Raced);
        assert_eq!(judge(&consumed(11), now), Verdict::Stolen);
        assert_eq!(judge(&revoked, now), Verdict::Ended);
    }
}
