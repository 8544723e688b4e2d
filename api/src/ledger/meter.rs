//! The meter: what a rental's use of its devices costs, up to an instant. The one place of the platform that rounds.
//!
//! Time is billed in milliseconds at the price per device and hour. An interval's amount is rounded down to a whole
//! micro-unit and the fraction is carried into the next interval, so that however the time is cut, the sum is the same.
//! Nothing is billed that cannot be paid: where money ends, so does the interval, and the outcome says so.

use scheduler::world::DemandId;
use scheduler::world::ids::{OrganisationId, ProviderId, RentalId};
use scheduler::world::money::{Micros, MoneyError, PricePerHour, Residue, charge};
use scheduler::world::time::{At, Millis};

use super::{Account, Transfer, TransferKind, hold};

/// A rental's meter, as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meter {
    /// Which rental.
    pub rental: RentalId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// Who earns.
    pub provider: ProviderId,
    /// Whose hold it is paid out of.
    pub subject: DemandId,
    /// Per device and hour.
    pub price: PricePerHour,
    /// Devices of the gang.
    pub devices: i32,
    /// The platform's part, in hundredths of a percent.
    pub fee_bps: i32,
    /// Time is billed up to here.
    pub metered_to: At,
    /// The fraction of a micro-unit not yet billed.
    pub residue: Residue,
    /// Billed so far.
    pub charged: Micros,
    /// The tenant's own bound on what this rental may cost.
    pub max_spend: Option<Micros>,
    /// When the tenant's own bound on its duration is reached.
    pub ends_at: Option<At>,
}

/// The money a rental can draw on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funds {
    /// What its hold has left.
    pub held: Micros,
    /// What the wallet can add to the hold. A job's budget is held as a whole: nothing is added to it.
    pub spare: Spare,
}

/// Where a hold can be topped up from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spare {
    /// From this available balance.
    Wallet(Micros),
    /// From nowhere: the hold is the budget.
    Budget,
}

/// Why a rental has to end where its charge ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The hold is used up and the wallet cannot top it up.
    Balance,
    /// A job's budget is spent.
    Budget,
    /// The rental's own spending bound is reached.
    MaxSpend,
    /// The rental's own bound on its duration is reached.
    MaxDuration,
}

/// What is to be written: one closed interval, its payment, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// Where the interval begins.
    pub from: At,
    /// Where it ends. Equal to `from` when there is nothing to bill.
    pub to: At,
    /// What the tenant pays.
    pub amount: Micros,
    /// The platform's part of it; the rest is the provider's.
    pub fee: Micros,
    /// Carried into the next interval.
    pub residue: Residue,
    /// Moved from the wallet into the hold before the payment.
    pub top_up: Micros,
    /// Whether the rental has to end at `to`.
    pub stop: Option<Stop>,
    /// Until when what is left would last at this price, with everything that can still be added.
    pub lasts_until: At,
}

impl Charge {
    /// Whether there is an interval to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// The payment: out of the tenant's held money, to the provider and the platform.
    #[must_use]
    pub fn usage(&self, meter: &Meter) -> Option<Transfer> {
        let net = self.amount.checked_sub(self.fee)?;
        let debit = Micros::ZERO.checked_sub(self.amount)?;
        let entries = [
            (Account::TenantHeld(meter.organisation), debit),
            (Account::ProviderPending(meter.provider), net),
            (Account::PlatformFee, self.fee),
        ];
        let transfer = Transfer::new(TransferKind::Usage, meter.rental, "use of devices", entries).ok()?;
        (!transfer.entries().is_empty()).then_some(transfer)
    }

    /// The top-up of the hold, if there is one.
    #[must_use]
    pub fn topping_up(&self, meter: &Meter) -> Option<Transfer> {
        let due = self.top_up > Micros::ZERO;
        due.then(|| hold::set_aside(meter.organisation, meter.subject, self.top_up, "an hour ahead of the meter"))
    }
}

/// Bills a rental up to `until`, or as far as its bounds and its money reach.
///
/// # Errors
/// [`MoneyError`] when an amount does not fit, which a bounded price and a bounded gang rule out.
pub fn charge_until(meter: &Meter, funds: Funds, until: At) -> Result<Charge, MoneyError> {
    let (until, out_of_time) = match meter.ends_at {
        Some(end) if end <= until => (end, true),
        _ => (until, false),
    };
    let span = until.since(meter.metered_to).at_least_zero();
    let purse = purse(meter, funds)?;
    let (wanted, _) = charge(meter.price, meter.devices, span, meter.residue)?;
    let (span, stop) = if wanted > purse.most {
        (affordable(meter, purse.most).min(span), Some(purse.stop))
    } else {
        (span, out_of_time.then_some(Stop::MaxDuration))
    };
    let (amount, residue) = charge(meter.price, meter.devices, span, meter.residue)?;
    let fee = amount.basis_points(meter.fee_bps).ok_or(MoneyError::TooLarge)?;
    let to = meter.metered_to.checked_add(span).ok_or(MoneyError::TooLarge)?;
    let after = Meter { metered_to: to, residue, ..meter.clone() };
    let left = purse.most.checked_sub(amount).ok_or(MoneyError::TooLarge)?;
    Ok(Charge {
        from: meter.metered_to,
        to,
        amount,
        fee,
        residue,
        top_up: if stop.is_some() { short(funds, amount)? } else { top_up(&after, funds, amount, left)? },
        stop,
        lasts_until: lasts_until(&after, left),
    })
}

/// The most that may be billed now, and what it means when that is not enough.
struct Purse {
    most: Micros,
    stop: Stop,
}

fn purse(meter: &Meter, funds: Funds) -> Result<Purse, MoneyError> {
    let (most, stop) = match funds.spare {
        Spare::Wallet(spare) => (funds.held.checked_add(spare).ok_or(MoneyError::TooLarge)?, Stop::Balance),
        Spare::Budget => (funds.held, Stop::Budget),
    };
    let own = meter.max_spend.map(|max| max.checked_sub(meter.charged).unwrap_or(Micros::ZERO).max(Micros::ZERO));
    Ok(match own {
        Some(own) if own < most => Purse { most: own, stop: Stop::MaxSpend },
        _ => Purse { most, stop },
    })
}

/// The longest time that costs no more than `most`; the end of time where that is beyond counting.
fn affordable(meter: &Meter, most: Micros) -> Millis {
    const HOUR: i128 = 3_600_000;
    let per_hour = i128::from(meter.price.micros()) * i128::from(meter.devices.max(1));
    let span = ((i128::from(most.get()) + 1) * HOUR - 1 - i128::from(meter.residue.raw())) / per_hour;
    Millis::new(i64::try_from(span.max(0)).unwrap_or(i64::MAX))
}

/// What an unpaid remainder needs beyond the hold.
fn short(funds: Funds, amount: Micros) -> Result<Micros, MoneyError> {
    Ok(amount.checked_sub(funds.held).ok_or(MoneyError::TooLarge)?.max(Micros::ZERO))
}

/// What the hold needs to pay `amount` and to reach an hour further, as far as there is money.
fn top_up(after: &Meter, funds: Funds, amount: Micros, left: Micros) -> Result<Micros, MoneyError> {
    let Spare::Wallet(spare) = funds.spare else { return Ok(Micros::ZERO) };
    let ahead = after.price.cost(after.devices, hold::ahead())?.min(left);
    let wanted = amount.checked_add(ahead).ok_or(MoneyError::TooLarge)?;
    Ok(short(funds, wanted)?.min(spare))
}

fn lasts_until(after: &Meter, left: Micros) -> At {
    let end = after.metered_to.saturating_add(affordable(after, left));
    after.ends_at.map_or(end, |bound| bound.min(end))
}

#[cfg(test)]
#[path = "meter_tests.rs"]
mod tests;
