//! Money set aside before capacity is given: how much, and the entries that move it. One hold per demand: the rentals
//! that a bid or a job gets are paid out of the bid's or the job's own hold, an on-demand rental has one itself.

use scheduler::world::DemandId;
use scheduler::world::ids::{HoldId, OrganisationId};
use scheduler::world::money::{Micros, MoneyError, PricePerHour};
use scheduler::world::time::Millis;

use super::{Account, Transfer, TransferKind};
use crate::config::limits;

/// What is set aside for one demand, as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Identity.
    pub id: HoldId,
    /// Whose money it is.
    pub organisation: OrganisationId,
    /// In which currency.
    pub currency: String,
    /// What it is for.
    pub subject: DemandId,
    /// The part neither spent nor released.
    pub remaining: Micros,
    /// For guarded writes.
    pub version: i64,
}

/// What must be set aside for `gang` devices at `price`: an hour ahead, or the minimum run where that is longer.
///
/// # Errors
/// [`MoneyError::TooLarge`] when the amount does not fit.
pub fn required(price: PricePerHour, gang: i32, min_run: Millis) -> Result<Micros, MoneyError> {
    price.cost(gang, ahead().max(min_run))
}

/// How far ahead a running gang's hold reaches.
#[must_use]
pub fn ahead() -> Millis {
    Millis::new(i64::try_from(limits::HOLD_AHEAD.as_millis()).unwrap_or(i64::MAX))
}

/// Sets `amount` aside.
#[must_use]
pub fn set_aside(organisation: OrganisationId, subject: DemandId, amount: Micros, reason: &str) -> Transfer {
    let accounts = (Account::TenantAvailable(organisation), Account::TenantHeld(organisation));
    Transfer::between(TransferKind::Hold, subject, reason, accounts, amount)
}

/// Gives `amount` back.
#[must_use]
pub fn give_back(organisation: OrganisationId, subject: DemandId, amount: Micros, reason: &str) -> Transfer {
    let accounts = (Account::TenantHeld(organisation), Account::TenantAvailable(organisation));
    Transfer::between(TransferKind::Release, subject, reason, accounts, amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(text: &str) -> PricePerHour {
        text.parse().unwrap()
    }

    #[test]
    fn a_hold_covers_an_hour_or_the_minimum_run_if_that_is_longer() {
        let hour = required(price("2.50"), 4, Millis::from_seconds(600));
        assert_eq!(hour, Ok(Micros::new(10_000_000)));
        let longer = required(price("2.50"), 4, Millis::from_seconds(7200));
        assert_eq!(longer, Ok(Micros::new(20_000_000)));
    }

    #[test]
    fn what_must_be_at_hand_is_rounded_up() {
        let third = required(price("0.000001"), 1, Millis::from_seconds(3601));
        assert_eq!(third, Ok(Micros::new(2)));
    }

    #[test]
    fn setting_aside_and_giving_back_cancel_out() {
        let organisation = OrganisationId::from_uuid(uuid::Uuid::from_u128(1));
        let subject = DemandId::Bid(uuid::Uuid::from_u128(2).into());
        let there = set_aside(organisation, subject, Micros::new(7), "bid placed");
        let back = give_back(organisation, subject, Micros::new(7), "bid cancelled");
        let sums = there.entries().iter().zip(back.entries()).map(|(a, b)| a.amount.get() + b.amount.get());
        assert!(sums.eq([0, 0]));
    }
}
