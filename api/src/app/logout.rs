//! A person logs out: the whole log-in ends, its access tokens included.

use super::auth::Identity;
use super::{Ctx, Nobody};
use crate::entropy::Secret;
use crate::store::{StoreError, refresh_tokens};

/// Ends the log-in that the refresh token belongs to. An unknown token ends nothing, and that is fine.
pub async fn logout(ctx: &mut Ctx<'_, Nobody>, identity: &Identity, presented: &Secret) -> Result<(), StoreError> {
    if let Some(token) = refresh_tokens::find(&mut ctx.tx, &presented.hash()).await? {
        let ended = refresh_tokens::end_family(&mut ctx.tx, token.family, ctx.now).await?;
        identity.refused.add(ended);
    }
    Ok(())
}
