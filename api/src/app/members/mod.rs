//! Members of an organisation: adding, changing and removing one.
//!
//! What adding, changing and removing a member have in common: the organisation is locked, so that two owners cannot
//! unmake each other at the same moment, and the rules are asked with the roles as they are now, not as a token says.

pub mod add;
pub mod change_role;
pub mod remove;
pub mod roles;

use roles::{Change, RoleRefused};
use scheduler::world::ids::{OrganisationId, UserId};

use super::auth::Identity;
use super::{Ctx, Role};
use crate::config::limits;
use crate::store::members::{self, Member};
use crate::store::{StoreError, refresh_tokens};

/// Why a membership stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// The rules do not allow it.
    #[error(transparent)]
    Refused(#[from] RoleRefused),
    /// Another organisation's, or none.
    #[error("there is no such organisation")]
    NoSuchOrganisation,
    /// Nobody of that identity belongs to the organisation.
    #[error("there is no such member")]
    NoSuchMember,
    /// Nobody has that address.
    #[error("nobody has registered with this email address; ask the person to sign up first")]
    NoSuchUser,
    /// The person belongs to the organisation already.
    #[error("this person is a member already; change its role instead")]
    AlreadyMember,
    /// The organisation has too many members.
    #[error("an organisation has at most {} members", limits::MEMBERS_PER_ORGANISATION)]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Locks the organisation and reads the caller's role in it.
async fn enter(ctx: &mut Ctx<'_>, organisation: OrganisationId) -> Result<Role, MemberError> {
    if organisation != ctx.caller.organisation {
        return Err(MemberError::NoSuchOrganisation);
    }
    members::lock(&mut ctx.tx, organisation).await?;
    let by = find(ctx, organisation, ctx.caller.user).await;
    role_of(&by.map_err(|_| RoleRefused::AdminsOnly)?)
}

async fn allow(
    ctx: &mut Ctx<'_>,
    organisation: OrganisationId,
    user: UserId,
    to: Option<Role>,
) -> Result<Role, MemberError> {
    let by = enter(ctx, organisation).await?;
    let from = role_of(&find(ctx, organisation, user).await?)?;
    let (_, owners) = members::count(&mut ctx.tx, organisation).await?;
    roles::check(Change { by, own: user == ctx.caller.user, from: Some(from), to, owners })?;
    Ok(from)
}

async fn find(ctx: &mut Ctx<'_>, organisation: OrganisationId, user: UserId) -> Result<Member, MemberError> {
    members::find(&mut ctx.tx, organisation, user).await?.ok_or(MemberError::NoSuchMember)
}

fn role_of(member: &Member) -> Result<Role, MemberError> {
    Ok(Role::parse(&member.role).ok_or_else(|| StoreError::corrupt("role", &member.role))?)
}

async fn refuse_tokens(
    ctx: &mut Ctx<'_>,
    identity: &Identity,
    organisation: OrganisationId,
    user: UserId,
) -> Result<(), MemberError> {
    let refused = refresh_tokens::refuse_access(&mut ctx.tx, user, organisation, ctx.now).await?;
    identity.refused.add(refused);
    Ok(())
}
