//! A member gets another role.

use scheduler::world::ids::{OrganisationId, UserId};

use super::{MemberError, allow, find, refuse_tokens};
use crate::app::auth::Identity;
use crate::app::{Ctx, Role};
use crate::store::members::{self, Member};

/// Gives a member another role. Its access tokens are refused from now on: the next one carries the new role.
pub async fn change_role(
    ctx: &mut Ctx<'_>,
    identity: &Identity,
    organisation: OrganisationId,
    user: UserId,
    role: Role,
) -> Result<Member, MemberError> {
    let from = allow(ctx, organisation, user, Some(role)).await?;
    members::change_role(&mut ctx.tx, organisation, user, from.as_str(), role.as_str()).await?;
    refuse_tokens(ctx, identity, organisation, user).await?;
    find(ctx, organisation, user).await
}
