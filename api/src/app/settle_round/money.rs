//! What a round does to the money that is set aside for bids. On-demand rentals hold at their posted price and jobs hold
//! their whole budget, so a round changes neither.

use std::collections::BTreeSet;

use scheduler::plan::Grant;
use scheduler::world::money::MoneyError;
use scheduler::world::{Bid, DemandId, Micros, Want};
use scheduler::{Code, RoundRecord};
use time::OffsetDateTime;

use super::apply::Placed;
use super::touched;
use crate::entropy::Entropy;
use crate::ledger::hold;
use crate::store::apply::{self, Adjustment, Present};
use crate::store::{StoreError, Tx};

/// A bid holds what its price needs: what was held beyond that, up to its limit, returns in this transaction. A bid that
/// is short is topped up to what its limit needs if the wallet can, and comes back in the next round.
pub(super) async fn settle(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    record: &RoundRecord,
    present: &Present,
    placed: &[Placed<'_>],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let overflow = |error: MoneyError| StoreError::corrupt("hold", error);
    // The meter may have changed them since they were locked.
    let holds = apply::holds(tx, &touched::touched(record).holds).await?;
    let mut adjustments = Vec::new();
    for grant in running_bids(record, placed) {
        let Some(hold) = holds.get(&grant.demand) else { continue };
        let gang = i32::try_from(grant.devices.len()).unwrap_or(i32::MAX);
        let needed = hold::required(grant.price, gang, record.rules.min_run).map_err(overflow)?;
        let by = needed.checked_sub(hold.remaining).unwrap_or(Micros::ZERO);
        if by < Micros::ZERO {
            let reason = "the price is below what was set aside";
            adjustments.push(Adjustment { transfer: entropy.id(now), hold, by, reason });
        }
    }
    let mut wallets = present.wallets.clone();
    for bid in short_bids(record) {
        let Some(hold) = holds.get(&DemandId::Bid(bid.bid)) else { continue };
        let Some(available) = wallets.get_mut(&(hold.organisation, hold.currency.clone())) else { continue };
        let needed = hold::required(bid.limit, bid.gang, record.rules.min_run).map_err(overflow)?;
        let by = needed.checked_sub(hold.remaining).unwrap_or(Micros::ZERO);
        if by > Micros::ZERO && by <= *available {
            *available = available.checked_sub(by).unwrap_or(Micros::ZERO);
            let reason = "the bid waits in the book again";
            adjustments.push(Adjustment { transfer: entropy.id(now), hold, by, reason });
        }
    }
    apply::adjust_holds(tx, &adjustments, now).await
}

/// Bids that run after this round: those that were given devices now, and those that keep theirs.
fn running_bids<'a>(record: &'a RoundRecord, placed: &[Placed<'_>]) -> Vec<&'a Grant> {
    let new: BTreeSet<_> = placed.iter().map(|placed| placed.grant.demand).collect();
    let runs =
        |grant: &&Grant| matches!(grant.demand, DemandId::Bid(_)) && (grant.continues || new.contains(&grant.demand));
    record.plan.grants.iter().filter(runs).collect()
}

fn short_bids(record: &RoundRecord) -> Vec<&Bid> {
    let short = record.plan.explanations.iter().filter(|one| one.code == Code::BudgetPaused);
    let short: BTreeSet<_> = short.map(|one| one.demand).collect();
    let demands = record.snapshot.demands.iter().filter(|demand| short.contains(&demand.id()));
    demands.filter_map(|demand| if let Want::Bid(bid) = &demand.want { Some(bid) } else { None }).collect()
}
