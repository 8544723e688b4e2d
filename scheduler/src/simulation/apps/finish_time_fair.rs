//! Worst projected finish-time ratio first, projected as if the application waited half a lease more.
//!
//! Waiting hurts a short application's ratio more than a long one's, and what is free now comes again only when leases end:
//! that half lease of foresight is what keeps short applications from being late for no reason.

use super::{Granted, Rule, View};

/// The part of a lease that an application is assumed to wait if it is not served.
const FORESIGHT: f64 = 0.5;

/// The rule.
#[derive(Debug, Clone, Copy)]
pub struct FinishTimeFair;

impl Rule for FinishTimeFair {
    fn grant(&self, view: &View<'_>) -> Granted {
        let projected = view.active.iter().map(|active| {
            let waits = FORESIGHT * view.lease_s;
            view.rho(active, view.share(active)) + waits / view.ideal_s(active)
        });
        let rho: Vec<f64> = projected.collect();
        let mut order: Vec<usize> = (0..rho.len()).collect();
        order.sort_by(|a, b| rho[*b].total_cmp(&rho[*a]).then(a.cmp(b)));
        let mut gpus = vec![0; rho.len()];
        view.in_order(&order, &mut gpus);
        gpus.into()
    }
}
