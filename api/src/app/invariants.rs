//! What must always be true of the money: checked continuously, shown to operators, and an alert where it is not.
//!
//! Most of it the database makes impossible already; this is the second pair of eyes, which reads what was written.

use std::sync::{Arc, Mutex, PoisonError};

use scheduler::world::ids::AlertId;
use time::OffsetDateTime;

use crate::entropy::Entropy;
use crate::store::alerts::{self, NewAlert, Severity};
use crate::store::invariants::{self, Broken};
use crate::store::{StoreError, Tx};

/// What was found of one invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which.
    pub name: &'static str,
    /// What it says, in words.
    pub claim: &'static str,
    /// What breaks it.
    pub broken: Broken,
}

impl Finding {
    /// Whether it is true.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.broken.count == 0
    }

    /// The claim, or what breaks it.
    #[must_use]
    pub fn detail(&self) -> String {
        match &self.broken.example {
            _ if self.holds() => self.claim.to_owned(),
            Some(example) => format!("broken {} times, for example: {example}", self.broken.count),
            None => format!("broken {} times", self.broken.count),
        }
    }

    /// The code of its alert.
    #[must_use]
    pub fn alert(&self) -> String {
        format!("invariant_{}", self.name)
    }
}

/// The last findings of this process.
#[derive(Debug, Clone, Default)]
pub struct Findings(Arc<Mutex<Vec<Finding>>>);

impl Findings {
    /// Keeps findings for whoever asks.
    pub fn keep(&self, findings: Vec<Finding>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = findings;
    }

    /// The last findings; none before the first check.
    #[must_use]
    pub fn last(&self) -> Vec<Finding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Checks every invariant on one state of the database; usage as far back as `since`.
pub async fn check(tx: &mut Tx, since: OffsetDateTime) -> Result<Vec<Finding>, StoreError> {
    let finding = |name, claim, broken| Finding { name, claim, broken };
    Ok(vec![
        finding(
            "debits_equal_credits",
            "every transfer's entries sum to zero in one currency",
            invariants::unbalanced_transfers(tx).await?,
        ),
        finding(
            "balances_equal_entries",
            "every balance is the sum of its entries",
            invariants::drifted_balances(tx).await?,
        ),
        finding(
            "nothing_overdrawn",
            "no wallet, provider, fee or tax account is below zero",
            invariants::overdrawn_accounts(tx).await?,
        ),
        finding(
            "holds_equal_held",
            "every wallet's held balance is the sum of its holds",
            invariants::unexplained_held(tx).await?,
        ),
        finding(
            "running_rentals_have_holds",
            "no rental runs up a bill without a hold",
            invariants::unheld_rentals(tx).await?,
        ),
        finding(
            "device_seconds_billed_once",
            "no device second is billed twice, or without a lease",
            invariants::unleased_usage(tx, since).await?,
        ),
        finding(
            "payments_arrive",
            "what tenants pay is what providers earn, the fee and the tax, less refunds",
            invariants::lost_payments(tx).await?,
        ),
        finding(
            "usage_equals_payments",
            "every interval is paid by its transfer, and every payment has its interval",
            invariants::unpaid_usage(tx).await?,
        ),
        finding(
            "totals_equal_usage",
            "what rentals and jobs say they cost is what they used",
            invariants::wrong_totals(tx).await?,
        ),
    ])
}

/// Raises an alert for what is broken, and closes those of what holds again.
pub async fn tell(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    findings: &[Finding],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    for finding in findings {
        if finding.holds() {
            alerts::clear(tx, &finding.alert(), None, now).await?;
            continue;
        }
        let message = format!("{} is not true: {}. Run `souk admin check-ledger`.", finding.claim, finding.detail());
        let id: AlertId = entropy.id(now);
        let alert =
            NewAlert { id, pool: None, code: &finding.alert(), severity: Severity::Critical, message: &message };
        alerts::raise(tx, &alert, now).await?;
    }
    Ok(())
}
