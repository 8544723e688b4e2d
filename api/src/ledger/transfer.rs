//! A transfer: entries on accounts that sum to zero. Positive entries raise a balance.

use scheduler::world::ids::{OrganisationId, ProviderId};
use scheduler::world::money::Micros;

/// An account of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A tenant's money that it can spend.
    TenantAvailable(OrganisationId),
    /// A tenant's money that is set aside.
    TenantHeld(OrganisationId),
    /// What a provider has earned and cannot draw yet.
    ProviderPending(ProviderId),
    /// What a provider can draw.
    ProviderAvailable(ProviderId),
    /// The marketplace's fee.
    PlatformFee,
    /// Money that operators gave: its balance is minus the sum of all credits.
    OperatorCredit,
    /// Refunds that the marketplace pays itself.
    Refunds,
    /// Fractions left over by rounding.
    Rounding,
}

impl Account {
    /// The kind, as stored.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::TenantAvailable(_) => "tenant_available",
            Self::TenantHeld(_) => "tenant_held",
            Self::ProviderPending(_) => "provider_pending",
            Self::ProviderAvailable(_) => "provider_available",
            Self::PlatformFee => "platform_fee",
            Self::OperatorCredit => "operator_credit",
            Self::Refunds => "refunds",
            Self::Rounding => "rounding",
        }
    }

    /// The tenant that owns it, if one does.
    #[must_use]
    pub const fn organisation(&self) -> Option<OrganisationId> {
        match self {
            Self::TenantAvailable(id) | Self::TenantHeld(id) => Some(*id),
            _ => None,
        }
    }

    /// The provider that owns it, if one does.
    #[must_use]
    pub const fn provider(&self) -> Option<ProviderId> {
        match self {
            Self::ProviderPending(id) | Self::ProviderAvailable(id) => Some(*id),
            _ => None,
        }
    }
}

/// Why money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferKind {
    /// An operator gives money, with a reason.
    Credit,
    /// Money is set aside for a bid, a job or a rental.
    Hold,
    /// What was set aside returns.
    Release,
    /// A rental's use is paid.
    Usage,
    /// A payment is returned.
    Refund,
    /// A mistake is corrected by new entries.
    Correction,
}

impl TransferKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Credit, Self::Hold, Self::Release, Self::Usage, Self::Refund, Self::Correction];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Hold => "hold",
            Self::Release => "release",
            Self::Usage => "usage",
            Self::Refund => "refund",
            Self::Correction => "correction",
        }
    }
}

/// One account's part of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The account.
    pub account: Account,
    /// What is added to its balance; never zero.
    pub amount: Micros,
}

/// The entries do not sum to zero, or their sum overflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a transfer's entries must sum to zero")]
pub struct Unbalanced;

/// Entries that sum to zero, by construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    kind: TransferKind,
    subject: String,
    reason: String,
    entries: Vec<Entry>,
}

impl Transfer {
    /// A transfer, if its entries balance. Entries of zero are dropped; entries on one account are added up.
    pub fn new(
        kind: TransferKind,
        subject: impl ToString,
        reason: impl ToString,
        entries: impl IntoIterator<Item = (Account, Micros)>,
    ) -> Result<Self, Unbalanced> {
        let mut merged = std::collections::BTreeMap::new();
        let mut total = 0_i64;
        for (account, amount) in entries {
            total = total.checked_add(amount.get()).ok_or(Unbalanced)?;
            let sum: &mut i64 = merged.entry(account).or_default();
            *sum = sum.checked_add(amount.get()).ok_or(Unbalanced)?;
        }
        if total != 0 {
            return Err(Unbalanced);
        }
        let entries = merged
            .into_iter()
            .filter(|(_, amount)| *amount != 0)
            .map(|(account, amount)| Entry { account, amount: Micros::new(amount) })
            .collect();
        Ok(Self { kind, subject: subject.to_string(), reason: reason.to_string(), entries })
    }

    /// `amount` from one account to another.
    #[must_use]
    pub fn between(
        kind: TransferKind,
        subject: impl ToString,
        reason: impl ToString,
        (from, to): (Account, Account),
        amount: Micros,
    ) -> Self {
        let debit = Micros::new(amount.get().wrapping_neg());
        Self::new(kind, subject, reason, [(from, debit), (to, amount)]).expect("an amount and its negative balance")
    }

    /// Why the money moves.
    #[must_use]
    pub const fn kind(&self) -> TransferKind {
        self.kind
    }

    /// The wire id of what it is for.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The reason, in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The entries, one per account, none of them zero. Empty when nothing moves.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_do_not_sum_to_zero_are_refused() {
        let entries = [(Account::PlatformFee, Micros::new(2)), (Account::OperatorCredit, Micros::new(-1))];
        assert_eq!(Transfer::new(TransferKind::Credit, "org", "gift", entries), Err(Unbalanced));
    }

    #[test]
    fn entries_on_one_account_become_one_and_zeros_vanish() {
        let entries = [
            (Account::PlatformFee, Micros::new(2)),
            (Account::PlatformFee, Micros::new(3)),
            (Account::Rounding, Micros::new(0)),
            (Account::OperatorCredit, Micros::new(-5)),
        ];
        let transfer = Transfer::new(TransferKind::Credit, "org", "gift", entries).unwrap();
        assert_eq!(transfer.entries().len(), 2);
    }
}
