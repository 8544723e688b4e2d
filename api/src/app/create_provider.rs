//! An organisation becomes a provider: it can list nodes and earn.

use scheduler::world::ids::ProviderId;

use super::Ctx;
use crate::store::providers::Provider;
use crate::store::{StoreError, ledger, providers};

/// Creates a provider with its two accounts.
pub async fn create_provider(ctx: &mut Ctx<'_>, name: &ProviderName, currency: &str) -> Result<Provider, StoreError> {
    let id: ProviderId = ctx.id();
    let organisation_id = ctx.caller.organisation;
    providers::insert(&mut ctx.tx, id, organisation_id, name.as_str(), currency, ctx.now).await?;
    ledger::open_provider(&mut ctx.tx, ctx.entropy, id, currency, ctx.now).await?;
    Ok(Provider {
        id,
        organisation_id,
        name: name.as_str().to_owned(),
        currency: currency.to_owned(),
        nodes: 0,
        devices: 0,
        devices_leased: 0,
        created_at: ctx.now,
    })
}

/// A provider's public name: 1 to 100 characters, no control characters, trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderName(String);

impl ProviderName {
    /// Checks the characters and the length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let valid = (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        valid.then(|| Self(text.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
