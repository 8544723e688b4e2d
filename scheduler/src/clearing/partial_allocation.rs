//! The partial allocation mechanism: divide for the greatest product of values, then keep from each what it takes from others.
//!
//! ```text
//! x*   maximises    prod_j V_j(x_j)                                      among those who bid
//! c_i  =            prod_{j != i} V_j(x*)  /  prod_{j != i} V_j(x*-i)    x*-i: the best division without i
//! i    keeps        c_i x*_i ; the rest is withheld
//! ```
//!
//! The payment `1 - c_i` is hidden in what is withheld: it is how much worse i makes the others off. For values that are
//! homogeneous of degree one, overstating or understating a value then does not pay, and `c_i >= 1/e`. For others, and over
//! several rounds, nothing of the kind is claimed. Source: Cole, Gkatzelis and Goel (2013), as used by Themis (NSDI 2020).
//!
//! Here the good is a number of equal devices and a bidder says what each number of devices is worth, from none to the
//! most it can use. The division is exact, whatever the shape of the values: a dynamic programme over bidders, with its
//! prefixes and suffixes kept so that the best divisions without each bidder come at no extra price.

/// What each number of devices is worth to a bidder, from none up; not negative. Rising, or the bidder would not want more.
pub type Values = Vec<f64>;

/// What comes of an auction.
#[derive(Debug, Clone, PartialEq)]
pub struct Partial {
    /// `x*`: devices of each bidder before payment.
    pub best: Vec<usize>,
    /// `c`: the part of them that each keeps, in (0, 1].
    pub kept: Vec<f64>,
}

/// The logarithm that stands for a value of nothing: one bidder left with nothing outweighs all else, whatever the others
/// make of it.
const NOTHING: f64 = -1e9;

/// Divides `devices` among bidders.
#[must_use]
pub fn partial_allocation(bidders: &[Values], devices: usize) -> Partial {
    let logs: Vec<Vec<f64>> = bidders.iter().map(|values| values.iter().map(|value| log(*value)).collect()).collect();
    let before = fold(logs.iter(), devices);
    let mut after = fold(logs.iter().rev(), devices);
    after.reverse();

    let mut best = vec![0; logs.len()];
    let mut left = devices;
    for (place, values) in logs.iter().enumerate().rev() {
        best[place] = most(values, &before[place], left);
        left -= best[place];
    }
    let total: f64 = logs.iter().zip(&best).map(|(values, devices)| values[*devices]).sum();
    let kept = (0..logs.len()).map(|place| {
        let others = total - logs[place][best[place]];
        let without = (0..=devices).map(|some| before[place][some] + after[place + 1][devices - some]);
        libm::exp((others - without.fold(f64::NEG_INFINITY, f64::max)).min(0.0))
    });
    Partial { kept: kept.collect(), best }
}

fn log(value: f64) -> f64 {
    if value > 0.0 { libm::log(value) } else { NOTHING }
}

/// For each number of first bidders and each number of devices at most, the greatest sum of logarithms.
fn fold<'a>(logs: impl Iterator<Item = &'a Vec<f64>>, devices: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; devices + 1]];
    for values in logs {
        let last = &sums[sums.len() - 1];
        let next = (0..=devices).map(|left| last_of(values, last, left).0).collect();
        sums.push(next);
    }
    sums
}

/// The devices that the last bidder gets out of `left`, given the best of those before.
fn most(values: &[f64], before: &[f64], left: usize) -> usize {
    last_of(values, before, left).1
}

/// The greatest sum and the devices of the last bidder in it; the fewest if several are as good.
fn last_of(values: &[f64], before: &[f64], left: usize) -> (f64, usize) {
    let sums =
        values.iter().take(left + 1).enumerate().map(|(devices, value)| (before[left - devices] + value, devices));
    sums.fold((f64::NEG_INFINITY, 0), |best, next| if next.0 > best.0 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Degree one: each device is worth the same.
    fn fresh(devices: usize, worth: f64) -> Values {
        (0..=devices).map(|count| worth * f64::from(u32::try_from(count).expect("few"))).collect()
    }

    #[test]
    fn alike_bidders_keep_the_part_that_theory_says() {
        for bidders in 2..=8_usize {
            let devices = 840;
            let found = partial_allocation(&vec![fresh(devices, 3.0); bidders], devices);
            let n = f64::from(u32::try_from(bidders).expect("few"));
            let theory = libm::pow((n - 1.0) / n, n - 1.0);
            assert!(found.best.iter().all(|some| some.abs_diff(devices / bidders) <= 1));
            for kept in found.kept {
                assert!((kept - theory).abs() < 1e-3, "{bidders}: {kept} is not {theory}");
            }
        }
    }

    #[test]
    fn what_devices_are_worth_in_money_changes_nothing() {
        let plain = partial_allocation(&[fresh(60, 1.0), fresh(60, 1.0), fresh(60, 1.0)], 60);
        let scaled = partial_allocation(&[fresh(60, 1.0), fresh(60, 7.0), fresh(60, 0.2)], 60);
        assert_eq!(plain.best, scaled.best);
    }

    #[test]
    fn who_takes_nothing_from_others_keeps_all() {
        let found = partial_allocation(&[vec![1.0, 2.0], vec![1.0, 5.0]], 3);
        assert_eq!(found.best, [1, 1]);
        assert!(found.kept.iter().all(|kept| *kept > 1.0 - 1e-12), "{found:?}");
    }

    #[test]
    fn values_that_rise_by_steps_are_divided_exactly() {
        // A gang of two doubles the first one's value; singles add a half to the second's.
        let found = partial_allocation(&[vec![1.0, 1.0, 2.0], vec![1.0, 1.5, 1.9]], 2);
        assert_eq!(found.best, [2, 0]);
        assert!((found.kept[0] - 1.0 / 1.9).abs() < 1e-12 && found.kept[1] > 1.0 - 1e-12, "{found:?}");
    }
}
