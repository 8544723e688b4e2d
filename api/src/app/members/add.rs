//! A registered person becomes a member.

use scheduler::world::ids::OrganisationId;

use super::roles::{self, Change};
use super::{MemberError, enter, find};
use crate::app::auth::Email;
use crate::app::{Ctx, Role};
use crate::config::limits;
use crate::store::members::{self, Member};
use crate::store::users;

/// Adds a registered person to the caller's organisation.
pub async fn add_member(
    ctx: &mut Ctx<'_>,
    organisation: OrganisationId,
    email: &Email,
    role: Role,
) -> Result<Member, MemberError> {
    let by = enter(ctx, organisation).await?;
    roles::check(Change { by, own: false, from: None, to: Some(role), owners: 1 })?;
    let (count, _) = members::count(&mut ctx.tx, organisation).await?;
    if count >= limits::MEMBERS_PER_ORGANISATION {
        return Err(MemberError::TooMany);
    }
    let user = users::find_by_email(&mut ctx.tx, email.as_str()).await?.ok_or(MemberError::NoSuchUser)?;
    members::insert(&mut ctx.tx, organisation, user.id, role.as_str(), ctx.now).await.map_err(|error| {
        if error.violates(members::ALREADY_MEMBER) { MemberError::AlreadyMember } else { error.into() }
    })?;
    find(ctx, organisation, user.id).await
}
