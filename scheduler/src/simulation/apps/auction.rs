//! Themis' auctions: free GPUs go to those who are furthest from finish-time fairness, by partial allocation.
//!
//! 1. The `ceil((1 - f) N)` applications with the largest projected ratio bid, `f = 0.8`.
//! 2. A bid says what each number of GPUs is worth: `V = 1 / rho`, `rho` with those GPUs for one lease and a private equal
//!    share afterwards.
//! 3. The partial allocation mechanism divides for the greatest product of values; each bidder keeps the part `c` of its
//!    GPUs, to the nearest whole one.
//! 4. What is withheld or not wanted goes to those who did not bid, the largest ratio first.
//! 5. What they cannot use goes back to the bidders if the switch says so, else it stays idle until the next auction.
//!    Giving it back keeps GPUs busy, and gives up what withholding is for: who knows of it gains from bidding untruly.

use super::{Active, Granted, Rule, View};
use crate::clearing::partial_allocation::{Values, partial_allocation};
use crate::simulation::statistics::count;

/// The rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThemisAuction {
    /// `f`: the part of the applications that does not bid.
    pub fairness: f64,
    /// Whether what nobody else can use goes back to the bidders.
    pub returns: bool,
}

impl Default for ThemisAuction {
    fn default() -> Self {
        Self { fairness: 0.8, returns: true }
    }
}

impl Rule for ThemisAuction {
    fn grant(&self, view: &View<'_>) -> Granted {
        let rho: Vec<f64> = view.active.iter().map(|active| view.rho(active, view.share(active))).collect();
        let mut order: Vec<usize> =
            (0..rho.len()).filter(|place| view.active[*place].held < view.active[*place].parallel).collect();
        order.sort_by(|a, b| rho[*b].total_cmp(&rho[*a]).then(a.cmp(b)));
        let (bidders, others) = order.split_at(self.bidders(view.active.len()).min(order.len()));

        let values: Vec<Values> = bidders.iter().map(|place| values(view, &view.active[*place])).collect();
        let free = usize::try_from(view.free).unwrap_or(usize::MAX);
        let partial = partial_allocation(&values, free);
        let mut gpus = vec![0; rho.len()];
        for ((place, best), kept) in bidders.iter().zip(&partial.best).zip(&partial.kept) {
            gpus[*place] = nearest(kept * count(*best));
        }
        let won: u32 = partial.best.iter().map(|best| nearest(count(*best))).sum();
        let withheld = won - gpus.iter().sum::<u32>();
        view.in_order(others, &mut gpus);
        let settled: u32 = gpus.iter().sum();
        if self.returns {
            view.in_order(bidders, &mut gpus);
        }
        Granted { withheld, returned: gpus.iter().sum::<u32>() - settled, gpus }
    }
}

impl ThemisAuction {
    fn bidders(&self, active: usize) -> usize {
        let part = (1.0 - self.fairness) * count(active);
        usize::try_from(nearest(libm::ceil(part - 1e-9))).unwrap_or(usize::MAX)
    }
}

/// What each number of GPUs more is worth to a bidder.
fn values(view: &View<'_>, active: &Active) -> Values {
    let most = (active.parallel - active.held).min(view.free);
    let so_far = view.now_s - active.arrival_s;
    let worth = |more: u32| {
        let gpus = f64::from(active.held + more);
        let done = gpus * view.lease_s;
        let left = if done >= active.left {
            active.left / gpus
        } else {
            view.lease_s + (active.left - done) / view.share(active)
        };
        view.ideal_s(active) / (so_far + left)
    };
    (0..=most).map(worth).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of GPUs, clamped to what fits")]
fn nearest(gpus: f64) -> u32 {
    libm::round(gpus).clamp(0.0, f64::from(u32::MAX)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(app: usize) -> Active {
        Active { app, arrival_s: 0.0, work: 1e6, left: 1e6, parallel: 64, held: 0, reference: 0.0, ideal_s: None }
    }

    fn view(active: &[Active]) -> View<'_> {
        View { now_s: 0.0, gpus: 64, free: 64, lease_s: 1200.0, active }
    }

    #[test]
    fn one_in_five_bids_and_never_nobody() {
        let rule = ThemisAuction::default();
        assert_eq!([1, 5, 6, 10, 11].map(|active| rule.bidders(active)), [1, 1, 2, 2, 3]);
    }

    #[test]
    fn what_bidders_leave_goes_to_those_who_did_not_bid_before_it_goes_back() {
        let mut active: Vec<Active> = (0..6).map(fresh).collect();
        active.iter_mut().for_each(|active| active.parallel = 8);
        let granted = ThemisAuction::default().grant(&view(&active));
        assert_eq!((granted.gpus, granted.returned), (vec![8; 6], 0));
    }

    #[test]
    fn without_the_switch_what_is_withheld_stays_idle() {
        let active: Vec<Active> = (0..2).map(fresh).collect();
        let kept = |returns| ThemisAuction { fairness: 0.0, returns }.grant(&view(&active));
        let (idle, busy) = (kept(false), kept(true));
        assert!(idle.withheld > 0, "{idle:?}");
        assert_eq!(idle.gpus.iter().sum::<u32>(), 64 - idle.withheld);
        assert_eq!((busy.gpus.iter().sum::<u32>(), busy.returned), (64, busy.withheld));
    }
}
