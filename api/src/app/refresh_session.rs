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
    /// The token was used a moment ago, and what was handed out for it is in use.
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
        Verdict::Ended => return Err(RefreshError::Invalid),
        Verdict::Stolen => {
            let ended = refresh_tokens::end_family(&mut ctx.tx, token.family, ctx.now).await?;
            identity.refused.add(ended);
            return Ok(Refreshed::Stolen);
        }
        Verdict::Good if refresh_tokens::consume(&mut ctx.tx, &token, ctx.now).await? => {}
        // A page that was reloaded while it refreshed never saw its new tokens: it gets others.
        Verdict::Good | Verdict::Repeated => {
            if !refresh_tokens::answer_unused(&mut ctx.tx, &token).await? {
                return Err(RefreshError::Raced);
            }
        }
    }
    let organisation = switch_to.unwrap_or(token.organisation);
    let membership = organisations::membership(&mut ctx.tx, token.user, organisation).await?;
    let membership = membership.ok_or(RefreshError::NotAMember)?;
    let user = users::find(&mut ctx.tx, token.user).await?.ok_or(RefreshError::Invalid)?;
    let subject = Subject::new(user, membership)?;
    Ok(Refreshed::Continued(Box::new(auth::open(ctx, &identity.keys, subject, token.family, Some(token.id)).await?)))
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Ended,
    Repeated,
    Stolen,
}

/// A token that comes back within seconds of its use comes from a page that never got the answer, or from two tabs at
/// once. Later, only a copy can come back.
fn judge(token: &RefreshToken, now: OffsetDateTime) -> Verdict {
    match token.consumed_at {
        _ if token.revoked_at.is_some() || token.expires_at <= now => Verdict::Ended,
        None => Verdict::Good,
        Some(consumed_at) if now - consumed_at <= limits::REFRESH_GRACE => Verdict::Repeated,
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
            parent: None,
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
        assert_eq!(judge(&consumed(10), now), Verdict::Repeated);
        assert_eq!(judge(&consumed(11), now), Verdict::Stolen);
        assert_eq!(judge(&revoked, now), Verdict::Ended);
    }
}
