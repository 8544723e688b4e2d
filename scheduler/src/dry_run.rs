//! What a bid would get if the pool were cleared now.

use crate::explain::{Code, Explanation, Numbers};
use crate::plan::Plan;
use crate::steady::plan;
use crate::world::{At, ClassId, Demand, PricePerHour, Rules, Snapshot};

/// A bid's prospects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// Whether it would win now; it may still have to wait for a notice.
    pub would_win: bool,
    /// When it would start, if it would win.
    pub starts_at: Option<At>,
    /// The class it would run on, or came closest to.
    pub class: Option<ClassId>,
    /// The price there, with the bid in the book.
    pub price: Option<PricePerHour>,
    /// The least limit that would win: the price, for a bid that wins.
    pub limit_to_win: Option<PricePerHour>,
    /// The whole explanation.
    pub explanation: Explanation,
}

/// Plans the round with one demand more and tells what becomes of it. Nothing is kept.
#[must_use]
pub fn dry_run(snapshot: &Snapshot, rules: &Rules, now: At, seed: u64, bid: Demand) -> Outlook {
    let demand = bid.id();
    let mut snapshot = snapshot.clone();
    snapshot.demands.retain(|listed| listed.id() != demand);
    snapshot.demands.push(bid);
    let plan = plan(&snapshot, rules, now, seed);
    let told = plan.explanations.iter().find(|told| told.demand == demand).cloned();
    let nothing = Explanation { demand, code: Code::NoCapacity, numbers: Numbers::default() };
    let explanation = told.unwrap_or(nothing);
    let starts_at = starts_at(&plan, &explanation);
    let numbers = &explanation.numbers;
    Outlook {
        would_win: starts_at.is_some(),
        starts_at,
        class: numbers.class.clone(),
        price: numbers.price,
        limit_to_win: if starts_at.is_some() { numbers.price } else { numbers.limit_to_win },
        explanation,
    }
}

fn starts_at(plan: &Plan, explanation: &Explanation) -> Option<At> {
    let granted = plan.grants.iter().any(|grant| grant.demand == explanation.demand);
    let waiting = plan.awaiting.iter().find(|seat| seat.demand == explanation.demand);
    if granted { Some(plan.at) } else { waiting.map(|seat| seat.until) }
}
