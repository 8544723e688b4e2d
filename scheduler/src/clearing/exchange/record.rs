//! The programme's answer in whole numbers, for the round's record.

use super::UNIT;
use super::economy::{Cleared, Economy};
use crate::clearing::Shares;
use crate::plan::exchanged::{ClassExchanged, Exchanged, Outcome, Subsidy};

/// A subsidy below this part of what a job spends is the solver's noise.
const NOISE: f64 = 1e-3;

/// What is recorded of an answer, or of none.
pub(super) fn exchanged(
    shares: &Shares<'_>,
    members: &[usize],
    economy: &Economy,
    cleared: Option<&Cleared>,
) -> Exchanged {
    let Some(cleared) = cleared else {
        return Exchanged { outcome: Outcome::EqualParts, classes: Vec::new(), subsidies: Vec::new(), envy_ppm: 0 };
    };
    let classes = (0..shares.classes.len()).map(|class| ClassExchanged {
        class: shares.classes[class].clone(),
        price: whole(cleared.answer.prices[class] * UNIT),
        to_jobs: whole(sold(economy, cleared, class, true) * 1e3),
        to_bids: whole(sold(economy, cleared, class, false) * 1e3),
    });
    let subsidies = (0..members.len()).map(|buyer| {
        let subsidy = cleared.subsidy(buyer);
        let told = if subsidy > NOISE * economy.buyers[buyer].rate { whole(subsidy * UNIT) } else { 0 };
        Subsidy { job: shares.members[members[buyer]].id(), micros: told }
    });
    // Who spends less than a micro in an hour is told nothing by the answer's last digits.
    let spending = (0..members.len()).filter(|buyer| economy.buyers[*buyer].rate * UNIT >= 1.0);
    let envy = spending.map(|buyer| cleared.envy(economy, buyer)).fold(0.0, f64::max);
    Exchanged {
        outcome: cleared.outcome,
        classes: classes.collect(),
        subsidies: subsidies.filter(|subsidy| subsidy.micros > 0).collect(),
        envy_ppm: whole(envy * 1e6),
    }
}

/// Devices of a class that jobs bought, or bids.
fn sold(economy: &Economy, cleared: &Cleared, class: usize, to_jobs: bool) -> f64 {
    let gangs = economy.buyers.iter().map(|it| it.gang).chain(economy.bidders.iter().map(|it| it.gang));
    let rows = cleared.answer.x.chunks(economy.asks.len().max(1)).zip(gangs).enumerate();
    rows.filter(|(row, _)| (*row < economy.buyers.len()) == to_jobs).map(|(_, (x, gang))| x[class] * gang).sum()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "prices, devices and ratios; what is larger is told as the largest"
)]
fn whole(number: f64) -> i64 {
    libm::round(number) as i64
}
