//! Bills rentals up to an instant: one closed interval each, paid out of its hold, in one batch.

use std::collections::{BTreeMap, BTreeSet};

use scheduler::world::DemandId;
use scheduler::world::ids::{OrganisationId, RentalId};
use scheduler::world::money::{Micros, MoneyError};
use time::OffsetDateTime;

use crate::clock::to_at;
use crate::entropy::Entropy;
use crate::ledger::Transfer;
use crate::ledger::hold::Hold;
use crate::ledger::meter::{Charge, Funds, Spare, charge_until};
use crate::store::ledger::Posting;
use crate::store::metering::{self, Metered, Settlement};
use crate::store::{StoreError, Tx, holds};

/// What became of one rental's meter.
#[derive(Debug, Clone, Copy)]
pub struct Metering {
    /// Which rental.
    pub rental: RentalId,
    /// Who paid.
    pub organisation: OrganisationId,
    /// What was billed, and whether the rental has to end.
    pub charge: Charge,
}

/// Bills those of `rentals` whose meters run, up to `until`, or to the node's last word where that is earlier. Changes of
/// price, notice and the end of a rental call this first, in the same transaction; the metering loop calls it in between.
pub async fn meter_rentals(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    rentals: &[RentalId],
    until: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Vec<Metering>, StoreError> {
    let metered = metering::lock(tx, rentals).await?;
    if metered.is_empty() {
        return Ok(Vec::new());
    }
    let mut purses = Purses::lock(tx, &metered).await?;
    let mut settlements = Vec::with_capacity(metered.len());
    for metered in metered {
        let until = metered.covered_to.map_or(until, |covered| covered.min(until));
        let hold = purses.hold(metered.meter.subject)?;
        let funds = purses.funds(&metered, &hold);
        let charge = charge_until(&metered.meter, funds, to_at(until)).map_err(overflow)?;
        purses.spend(&metered, &charge).map_err(overflow)?;
        let posting =
            |transfer: Transfer| Posting { id: entropy.id(now), transfer, currency: metered.currency.clone() };
        let payment = charge.usage(&metered.meter).map(posting);
        let top_up = charge.topping_up(&metered.meter).map(posting);
        settlements.push(Settlement { charge, hold, usage: entropy.id(now), payment, top_up, metered });
    }
    metering::settle(tx, &settlements, now).await?;
    let metering = |one: &Settlement| {
        let meter = &one.metered.meter;
        Metering { rental: meter.rental, organisation: meter.organisation, charge: one.charge }
    };
    Ok(settlements.iter().map(metering).collect())
}

/// The money behind a batch, running down as the batch is decided.
struct Purses {
    holds: BTreeMap<DemandId, Hold>,
    held: BTreeMap<DemandId, Micros>,
    wallets: BTreeMap<(OrganisationId, String), Micros>,
}

impl Purses {
    async fn lock(tx: &mut Tx, metered: &[Metered]) -> Result<Self, StoreError> {
        let subjects: BTreeSet<_> = metered.iter().map(|metered| metered.meter.subject).collect();
        let subjects: Vec<_> = subjects.into_iter().collect();
        let organisations: BTreeSet<_> = metered.iter().map(|metered| metered.meter.organisation).collect();
        let organisations: Vec<_> = organisations.into_iter().collect();
        let holds: BTreeMap<_, _> =
            holds::lock_all(tx, &subjects).await?.into_iter().map(|hold| (hold.subject, hold)).collect();
        let wallets = metering::lock_wallets(tx, &organisations).await?;
        Ok(Self {
            held: holds.iter().map(|(subject, hold)| (*subject, hold.remaining)).collect(),
            holds,
            wallets: wallets.into_iter().map(|(id, currency, available)| ((id, currency), available)).collect(),
        })
    }

    fn hold(&self, subject: DemandId) -> Result<Hold, StoreError> {
        let hold = self.holds.get(&subject).cloned();
        hold.ok_or_else(|| StoreError::corrupt("hold", format!("a rental of {subject} runs without one")))
    }

    fn funds(&self, metered: &Metered, hold: &Hold) -> Funds {
        let held = self.held.get(&hold.subject).copied().unwrap_or(Micros::ZERO);
        let spare = match hold.subject {
            DemandId::Job(_) => Spare::Budget,
            DemandId::Bid(_) | DemandId::OnDemand(_) => Spare::Wallet(self.available(metered)),
        };
        Funds { held, spare }
    }

    fn available(&self, metered: &Metered) -> Micros {
        let wallet = (metered.meter.organisation, metered.currency.clone());
        self.wallets.get(&wallet).copied().unwrap_or(Micros::ZERO)
    }

    fn spend(&mut self, metered: &Metered, charge: &Charge) -> Result<(), MoneyError> {
        let available = self.available(metered).checked_sub(charge.top_up).ok_or(MoneyError::TooLarge)?;
        self.wallets.insert((metered.meter.organisation, metered.currency.clone()), available);
        if let Some(held) = self.held.get_mut(&metered.meter.subject) {
            let topped_up = held.checked_add(charge.top_up).ok_or(MoneyError::TooLarge)?;
            *held = topped_up.checked_sub(charge.amount).ok_or(MoneyError::TooLarge)?;
        }
        Ok(())
    }
}

fn overflow(error: MoneyError) -> StoreError {
    StoreError::corrupt("meter", error)
}
