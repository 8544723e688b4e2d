//! An operator gives an organisation money, with a reason that stays in the ledger.

use scheduler::world::ids::{OrganisationId, TransferId};
use scheduler::world::money::Micros;
use serde::Serialize;
use serde_json::json;

use super::Ctx;
use crate::ledger::{Account, Transfer, TransferKind};
use crate::store::events::NewEvent;
use crate::store::{StoreError, events, ledger, organisations};

/// The most that one credit can give: a million units of currency. More is given in parts that add up to as many entries.
const MOST: Micros = Micros::new(1_000_000_000_000);

/// A credit to be given.
#[derive(Debug, Clone, Serialize)]
pub struct Credit {
    organisation: OrganisationId,
    amount: Micros,
    reason: String,
}

/// A credit that cannot be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreditError {
    /// Nothing, or too much at once.
    #[error("an amount is greater than zero and at most {MOST}")]
    Amount,
    /// No reason, or a novel.
    #[error("a reason has 1 to 500 characters and no control characters")]
    Reason,
}

impl Credit {
    /// Checks the amount and the reason.
    pub fn new(organisation: OrganisationId, amount: Micros, reason: &str) -> Result<Self, CreditError> {
        if !(Micros::new(1)..=MOST).contains(&amount) {
            return Err(CreditError::Amount);
        }
        let reason = reason.trim();
        if !(1..=500).contains(&reason.chars().count()) || reason.chars().any(char::is_control) {
            return Err(CreditError::Reason);
        }
        Ok(Self { organisation, amount, reason: reason.to_owned() })
    }
}

/// What was given.
#[derive(Debug, Clone)]
pub struct Given {
    /// The transfer's identity.
    pub id: TransferId,
    /// What moved.
    pub transfer: Transfer,
    /// In which currency.
    pub currency: String,
    /// How much.
    pub amount: Micros,
}

/// Why no money was given.
#[derive(Debug, thiserror::Error)]
pub enum GiveCreditError {
    /// Nobody has that id.
    #[error("there is no such organisation")]
    NoSuchOrganisation,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Moves the money from the operators' account into the organisation's wallet.
pub async fn give_credit<C>(ctx: &mut Ctx<'_, C>, credit: &Credit) -> Result<Given, GiveCreditError> {
    let Credit { organisation, amount, reason } = credit;
    let currency = organisations::currency(&mut ctx.tx, *organisation).await?;
    let currency = currency.ok_or(GiveCreditError::NoSuchOrganisation)?;
    let accounts = (Account::OperatorCredit, Account::TenantAvailable(*organisation));
    let transfer = Transfer::between(TransferKind::Credit, organisation, reason, accounts, *amount);
    let id = ctx.id();
    ledger::post(&mut ctx.tx, id, &transfer, &currency, ctx.now).await?;
    let credited = NewEvent {
        id: ctx.id(),
        organisation: Some(*organisation),
        provider: None,
        pool: None,
        kind: "wallet.credited",
        subject: organisation.to_string(),
        body: json!({"amount": amount.to_string(), "currency": currency, "reason": reason, "transfer_id": id}),
    };
    events::record(&mut ctx.tx, &[credited], ctx.now).await?;
    Ok(Given { id, transfer, currency, amount: *amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credit_has_an_amount_and_a_reason() {
        let to = OrganisationId::from_uuid(uuid::Uuid::from_u128(1));
        assert!(Credit::new(to, Micros::new(1), " launch ").is_ok_and(|credit| credit.reason == "launch"));
        for amount in [0, -1, MOST.get() + 1] {
            assert_eq!(Credit::new(to, Micros::new(amount), "launch").err(), Some(CreditError::Amount));
        }
        for reason in ["", "  ", "a\nb", &"r".repeat(501)] {
            assert_eq!(Credit::new(to, MOST, reason).err(), Some(CreditError::Reason), "{reason:?}");
        }
    }
}
