//! What a missed promise is worth, and who bears it. Pure.

use scheduler::world::Micros;
use scheduler::world::ids::{JobId, OrganisationId, ProviderId};

use super::{Account, Transfer, TransferKind};

/// The least part of what was paid that returns, as one over this.
const LEAST_PART: i64 = 10;

/// What returns to the tenant: the part of what it paid that the work left undone at the promised time is of all the work,
/// and a tenth at least. Never more than it paid.
#[must_use]
pub fn refund(paid: Micros, work: i64, done: i64) -> Micros {
    let paid = i128::from(paid.get().max(0));
    let undone = i128::from(work.saturating_sub(done.max(0)).clamp(0, work.max(1)));
    let part = (paid * undone / i128::from(work.max(1))).max(paid / i128::from(LEAST_PART));
    Micros::new(i64::try_from(part).unwrap_or(0))
}

/// What each provider gives back: those that lost a rental of the job give back what they earned from it and still have pending, in
/// equal proportion if that is more than the refund. The marketplace bears the rest.
#[must_use]
pub fn given_back(refund: Micros, can_give: &[(ProviderId, Micros)]) -> Vec<(ProviderId, Micros)> {
    let total: i128 = can_give.iter().map(|(_, most)| i128::from(most.get().max(0))).sum();
    let refund = i128::from(refund.get().max(0));
    let part = |most: i128| if total > refund { most * refund / total } else { most };
    let given = can_give.iter().map(|(id, most)| (*id, part(i128::from(most.get().max(0)))));
    let given = given.map(|(id, amount)| (id, Micros::new(i64::try_from(amount).unwrap_or(0))));
    given.filter(|(_, amount)| *amount > Micros::ZERO).collect()
}

/// The transfer: to the tenant's wallet, from those providers and from the marketplace. `None` when nothing returns.
#[must_use]
pub fn transfer(
    job: JobId,
    organisation: OrganisationId,
    refund: Micros,
    given_back: &[(ProviderId, Micros)],
    reason: &str,
) -> Option<Transfer> {
    let minus = |amount: Micros| Micros::new(amount.get().wrapping_neg());
    let given: i64 = given_back.iter().map(|(_, amount)| amount.get()).sum();
    let own = Micros::new(refund.get().checked_sub(given)?);
    let providers = given_back.iter().map(|(id, amount)| (Account::ProviderPending(*id), minus(*amount)));
    let house = [(Account::TenantAvailable(organisation), refund), (Account::Refunds, minus(own))];
    let transfer = Transfer::new(TransferKind::Refund, job, reason, house.into_iter().chain(providers)).ok()?;
    (!transfer.entries().is_empty()).then_some(transfer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(number: u128) -> ProviderId {
        uuid::Uuid::from_u128(number).into()
    }

    fn micros(amount: i64) -> Micros {
        Micros::new(amount)
    }

    #[test]
    fn what_is_undone_returns_and_a_tenth_at_least() {
        assert_eq!(refund(micros(1_000), 100, 25), micros(750));
        assert_eq!(refund(micros(1_000), 100, 99), micros(100));
        assert_eq!(refund(micros(1_000), 100, 100), micros(100));
        assert_eq!(refund(micros(1_000), 100, 0), micros(1_000));
        assert_eq!(refund(micros(0), 100, 50), micros(0));
        assert_eq!(refund(micros(1_000), 100, -5), micros(1_000), "never more than was paid");
    }

    #[test]
    fn who_lost_a_rental_gives_back_what_it_earned_and_the_marketplace_the_rest() {
        let one = given_back(micros(500), &[(provider(1), micros(200))]);
        assert_eq!(one, [(provider(1), micros(200))]);
        let two = given_back(micros(100), &[(provider(1), micros(300)), (provider(2), micros(100))]);
        assert_eq!(two, [(provider(1), micros(75)), (provider(2), micros(25))]);
        assert_eq!(given_back(micros(100), &[(provider(1), micros(0))]), []);
    }

    #[test]
    fn the_transfer_balances_whoever_pays() {
        let (job, tenant) = (uuid::Uuid::from_u128(7).into(), uuid::Uuid::from_u128(8).into());
        let given = [(provider(1), micros(33)), (provider(2), micros(34))];
        let transfer = transfer(job, tenant, micros(100), &given, "late").unwrap();
        let of =
            |account| transfer.entries().iter().find(|entry| entry.account == account).map(|entry| entry.amount.get());
        assert_eq!(of(Account::TenantAvailable(tenant)), Some(100));
        assert_eq!(of(Account::Refunds), Some(-33));
        assert_eq!(of(Account::ProviderPending(provider(2))), Some(-34));
        assert_eq!(super::transfer(job, tenant, micros(0), &[], "late"), None);
    }
}
