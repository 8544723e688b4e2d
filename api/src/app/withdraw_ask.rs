//! A provider takes an ask back. Nothing new is rented on it; what runs keeps running.

use scheduler::world::ids::AskId;

use super::{Ctx, supply_events};
use crate::store::asks::{self, Ask};
use crate::store::{StoreError, events};

/// Withdraws the ask; `None` if the organisation has no such ask. Withdrawing it again changes nothing.
pub async fn withdraw_ask(ctx: &mut Ctx<'_>, id: AskId) -> Result<Option<Ask>, StoreError> {
    let organisation = ctx.caller.organisation;
    let Some(ask) = asks::find(&mut ctx.tx, organisation, id).await? else { return Ok(None) };
    if ask.withdrawn_at.is_some() {
        return Ok(Some(ask));
    }
    asks::withdraw(&mut ctx.tx, &ask, ctx.now).await?;
    let told = [supply_events::of_ask(ctx, organisation, "ask.withdrawn", &ask)];
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(Some(Ask { withdrawn_at: Some(ctx.now), version: ask.version + 1, ..ask }))
}
