//! A member leaves or is removed.

use scheduler::world::ids::{OrganisationId, UserId};

use super::{MemberError, allow, refuse_tokens};
use crate::app::Ctx;
use crate::app::auth::Identity;
use crate::store::members;

/// Removes a member, or lets it leave.
pub async fn remove_member(
    ctx: &mut Ctx<'_>,
    identity: &Identity,
    organisation: OrganisationId,
    user: UserId,
) -> Result<(), MemberError> {
    let from = allow(ctx, organisation, user, None).await?;
    members::remove(&mut ctx.tx, organisation, user, from.as_str()).await?;
    refuse_tokens(ctx, identity, organisation, user).await
}
