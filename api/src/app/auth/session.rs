//! A session: an access token for ten minutes and a refresh token that can be used once.

use scheduler::world::ids::SessionId;
use uuid::Uuid;

use super::{Claims, KeyRing};
use crate::app::{Ctx, Nobody, Role};
use crate::config::limits;
use crate::entropy::Secret;
use crate::store::StoreError;
use crate::store::organisations::{Membership, Organisation};
use crate::store::refresh_tokens::{self, NewToken};
use crate::store::users::User;

/// A person acting for an organisation.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The person.
    pub user: User,
    /// The organisation.
    pub organisation: Organisation,
    /// The person's role there.
    pub role: Role,
}

impl Subject {
    /// The person in one of its organisations.
    pub fn new(user: User, membership: Membership) -> Result<Self, StoreError> {
        let role = Role::parse(&membership.role).ok_or_else(|| StoreError::corrupt("role", &membership.role))?;
        Ok(Self { user, organisation: membership.organisation, role })
    }
}

/// What a person gets by logging in or refreshing.
#[derive(Debug)]
pub struct Session {
    /// Who acts for whom.
    pub subject: Subject,
    /// For the next ten minutes.
    pub access_token: Secret,
    /// For the next session.
    pub refresh_token: Secret,
}

/// Continues the log-in `family` (or begins it, without a token that was consumed) with a fresh pair of tokens.
pub async fn open(
    ctx: &mut Ctx<'_, Nobody>,
    keys: &KeyRing,
    subject: Subject,
    family: SessionId,
    consumed: Option<Uuid>,
) -> Result<Session, StoreError> {
    let id: Uuid = ctx.id();
    let refresh_token = ctx.entropy.secret("soukr_");
    let token = NewToken {
        id,
        family,
        parent: consumed,
        user: subject.user.id,
        organisation: subject.organisation.id,
        hash: refresh_token.hash(),
        created_at: ctx.now,
        expires_at: ctx.now + limits::REFRESH_TOKEN,
    };
    refresh_tokens::insert(&mut ctx.tx, &token).await?;
    let access_token = keys.sign(&Claims::issued(&subject, family, id, ctx.now));
    Ok(Session { subject, access_token, refresh_token })
}
