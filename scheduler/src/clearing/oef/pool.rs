//! OEF in a pool: which tenants there are, and which fraction of its time each job should run on each class.
//!
//! A *tenant* is all jobs whose speeds on the classes are alike in proportion, whoever owns them, with the sum of their
//! weights: the virtual tenants of the paper. Its bundle is shared among its jobs by weight. A tenant cannot use more devices
//! than its gangs have: what a division gives it beyond that is divided again among the others, and it keeps what it is
//! fastest on. Nobody is better off with another's bundle as long as no tenant has all it can use; one that has may
//! prefer another's faster devices.

use super::{Division, Market, Unsolved};
use crate::clearing::{Shares, float};
use std::collections::BTreeMap;

/// Speeds are alike if they agree to a thousandth of the slowest.
const MILLI: i64 = 1000;
/// Devices below which a difference is noise.
const NOISE: f64 = 1e-7;

/// A way to divide a market.
pub(in crate::clearing) type Divide = fn(&Market) -> Result<Division, Unsolved>;

struct Tenant {
    members: Vec<usize>,
    /// Relative to the slowest class that it can use.
    speeds: Vec<f64>,
    weight: f64,
    /// Devices that its gangs have at most.
    most: f64,
    /// Devices of each class.
    bundle: Vec<f64>,
}

/// By member and class the fraction of time. A market that cannot be solved is divided into equal parts.
pub(in crate::clearing) fn fractions(shares: &Shares<'_>, divide: Divide) -> Vec<Vec<f64>> {
    let mut tenants = tenants(shares);
    let mut left: Vec<f64> = shares.owned.iter().map(|devices| float(*devices)).collect();
    let mut open: Vec<usize> = (0..tenants.len()).collect();
    while !open.is_empty() && left.iter().sum::<f64>() > NOISE {
        let speeds: Vec<Vec<f64>> = open.iter().map(|tenant| tenants[*tenant].speeds.clone()).collect();
        let weights: Vec<f64> = open.iter().map(|tenant| tenants[*tenant].weight).collect();
        let all: f64 = weights.iter().sum();
        let equal =
            || weights.iter().map(|weight| left.iter().map(|devices| devices * weight / all).collect()).collect();
        let market = Market::new(left.clone(), &speeds, weights.clone());
        let bundles: Vec<Vec<f64>> = divide(&market).map_or_else(|_| equal(), |division| division.devices);
        for (tenant, bundle) in open.iter().zip(bundles) {
            tenants[*tenant].bundle = bundle;
        }
        let before = open.len();
        open.retain(|tenant| {
            let full = tenants[*tenant].give_up();
            if full {
                left.iter_mut().zip(&tenants[*tenant].bundle).for_each(|(left, used)| *left = (*left - used).max(0.0));
            }
            !full
        });
        if open.len() == before {
            break;
        }
    }
    let mut fractions = vec![vec![0.0; shares.capacity.len()]; shares.members.len()];
    tenants.iter().for_each(|tenant| tenant.share(shares, &mut fractions));
    fractions
}

fn tenants(shares: &Shares<'_>) -> Vec<Tenant> {
    let mut alike: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
    for (member, speeds) in shares.speeds.iter().enumerate().filter(|(member, _)| shares.members[*member].active) {
        let Some(slowest) = speeds.iter().map(|(_, speed)| *speed).min() else { continue };
        let mut relative = vec![0; shares.capacity.len()];
        for (class, speed) in speeds {
            relative[*class] = speed.saturating_mul(MILLI) / slowest.max(1);
        }
        alike.entry(relative).or_default().push(member);
    }
    let tenants = alike.into_iter().map(|(relative, members)| Tenant {
        speeds: relative.into_iter().map(|speed| float(speed) / float(MILLI)).collect(),
        weight: members.iter().map(|member| weight(shares, *member)).sum(),
        most: members.iter().map(|member| f64::from(shares.gang(*member))).sum(),
        bundle: vec![0.0; shares.capacity.len()],
        members,
    });
    tenants.collect()
}

impl Tenant {
    /// Gives up what it cannot use; says whether it had more than that.
    fn give_up(&mut self) -> bool {
        let mut order: Vec<usize> = (0..self.bundle.len()).collect();
        order.sort_by(|a, b| self.speeds[*b].total_cmp(&self.speeds[*a]).then(a.cmp(b)));
        let mut most = self.most;
        let mut full = false;
        for class in order {
            let usable = if self.speeds[class] > 0.0 { self.bundle[class].min(most) } else { 0.0 };
            full |= self.speeds[class] > 0.0 && self.bundle[class] > usable + NOISE;
            self.bundle[class] = usable;
            most -= usable;
        }
        full
    }

    /// Shares the bundle among the jobs by weight: no job more than its gang, the mix of classes the same for all.
    fn share(&self, shares: &Shares<'_>, fractions: &mut [Vec<f64>]) {
        let all: f64 = self.bundle.iter().sum();
        if all <= NOISE {
            return;
        }
        let mut order = self.members.clone();
        let filled_at = |member: usize| f64::from(shares.gang(member)) / weight(shares, member);
        order.sort_by(|a, b| filled_at(*a).total_cmp(&filled_at(*b)).then(a.cmp(b)));
        let (mut left, mut weights) = (all, self.weight);
        for member in order {
            let devices = f64::from(shares.gang(member)).min(left * weight(shares, member) / weights);
            left -= devices;
            weights -= weight(shares, member);
            for (fraction, bundle) in fractions[member].iter_mut().zip(&self.bundle) {
                *fraction = devices / f64::from(shares.gang(member)) * bundle / all;
            }
        }
    }
}

fn weight(shares: &Shares<'_>, member: usize) -> f64 {
    f64::from(shares.members[member].job.weight_milli.max(1))
}
