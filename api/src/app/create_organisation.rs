//! A person founds a further organisation and owns it.

use super::{Ctx, Name, Role};
use crate::config::limits;
use crate::store::organisations::{self, Organisation};
use crate::store::{StoreError, ledger, members};

/// Why no organisation was founded.
#[derive(Debug, thiserror::Error)]
pub enum CreateOrganisationError {
    /// The person belongs to too many.
    #[error("a person belongs to at most {} organisations; leave one first", limits::ORGANISATIONS_PER_PERSON)]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Creates the organisation with its accounts.
pub async fn create_organisation(
    ctx: &mut Ctx<'_>,
    name: &Name,
    currency: &str,
) -> Result<Organisation, CreateOrganisationError> {
    if organisations::count_of(&mut ctx.tx, ctx.caller.user).await? >= limits::ORGANISATIONS_PER_PERSON {
        return Err(CreateOrganisationError::TooMany);
    }
    let organisation = Organisation {
        id: ctx.id(),
        name: name.as_str().to_owned(),
        currency: currency.to_owned(),
        created_at: ctx.now,
    };
    organisations::insert(&mut ctx.tx, &organisation).await?;
    members::insert(&mut ctx.tx, organisation.id, ctx.caller.user, Role::Owner.as_str(), ctx.now).await?;
    ledger::open_tenant(&mut ctx.tx, ctx.entropy, organisation.id, currency, ctx.now).await?;
    Ok(organisation)
}
