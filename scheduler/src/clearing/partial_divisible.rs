//! Partial allocation of divisible classes to bidders whose values are homogeneous of degree one: where its theory holds.
//!
//! `V_i(x) = sum_k v_ik x_ik`. The division with the greatest product of values is the market equilibrium with equal
//! budgets (Eisenberg and Gale 1959), found here by proportional response (Wu and Zhang 2007): everybody spends its
//! budget on classes in proportion to what each contributed to its value, prices are what is spent, and so on. Each bidder then
//! keeps `c_i` of its part, see [`super::partial_allocation`]; `c_i >= 1/e`, and no report of other values pays.
//!
//! Rounds divide whole devices, whose values are not homogeneous; this is what the claims about truth are tested on.

/// Who would get what, and which part of it each keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Divided {
    /// `x*`: by bidder and class, before payment.
    pub best: Vec<Vec<f64>>,
    /// `c`.
    pub kept: Vec<f64>,
}

/// Steps of the response; it converges geometrically, to some 1e-6 in values within these.
const STEPS: usize = 3000;

/// Divides `capacity` among bidders with these values per device; each values at least one class.
#[must_use]
pub fn partial_divisible(values: &[Vec<f64>], capacity: &[f64]) -> Divided {
    let best = equilibrium(values, capacity);
    let kept = (0..values.len()).map(|bidder| {
        let others: Vec<Vec<f64>> = rest(values, bidder);
        let without = logs(&others, &equilibrium(&others, capacity));
        libm::exp((logs(&others, &rest(&best, bidder)) - without).min(0.0))
    });
    Divided { kept: kept.collect(), best }
}

/// What a bundle is worth.
#[must_use]
pub fn worth(values: &[f64], devices: &[f64]) -> f64 {
    values.iter().zip(devices).map(|(value, devices)| value * devices).sum()
}

fn rest(rows: &[Vec<f64>], without: usize) -> Vec<Vec<f64>> {
    rows.iter().enumerate().filter(|(row, _)| *row != without).map(|(_, row)| row.clone()).collect()
}

fn logs(values: &[Vec<f64>], devices: &[Vec<f64>]) -> f64 {
    values.iter().zip(devices).map(|(values, devices)| libm::log(worth(values, devices))).sum()
}

fn equilibrium(values: &[Vec<f64>], capacity: &[f64]) -> Vec<Vec<f64>> {
    let mut spent: Vec<Vec<f64>> = values
        .iter()
        .map(|row| {
            let all: f64 = row.iter().sum();
            row.iter().map(|value| value / all).collect()
        })
        .collect();
    for _ in 0..STEPS {
        let devices = bought(&spent, capacity);
        for ((spent, values), devices) in spent.iter_mut().zip(values).zip(&devices) {
            let all = worth(values, devices);
            for ((spent, value), devices) in spent.iter_mut().zip(values).zip(devices) {
                *spent = value * devices / all;
            }
        }
    }
    bought(&spent, capacity)
}

fn bought(spent: &[Vec<f64>], capacity: &[f64]) -> Vec<Vec<f64>> {
    let price = |class: usize| spent.iter().map(|row| row[class]).sum::<f64>().max(f64::MIN_POSITIVE);
    let per_money: Vec<f64> = capacity.iter().enumerate().map(|(class, devices)| devices / price(class)).collect();
    spent.iter().map(|row| row.iter().zip(&per_money).map(|(spent, devices)| spent * devices).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    #[expect(clippy::disallowed_methods, reason = "how long to search is not a setting of the market")]
    fn cases() -> u32 {
        std::env::var("SOUK_AUCTION_CASES").map_or(200, |text| text.parse().expect("a number of misreports"))
    }

    fn values(dice: &mut Dice, classes: usize) -> Vec<f64> {
        (0..classes).map(|_| 0.2 + dice.unit()).collect()
    }

    #[test]
    fn no_misreport_of_homogeneous_values_pays_and_everybody_keeps_a_part_of_one_over_e() {
        let mut dice = Dice::new(4);
        let mut most = f64::NEG_INFINITY;
        for case in 0..cases() {
            let classes = 2 + usize::from(dice.unit() < 0.5);
            let bidders = 2 + usize::from(dice.unit() < 0.5) + usize::from(dice.unit() < 0.5);
            let truth: Vec<Vec<f64>> = (0..bidders).map(|_| values(&mut dice, classes)).collect();
            let capacity: Vec<f64> = (0..classes).map(|_| 1.0 + 8.0 * dice.unit()).collect();
            let gets = |reported: &[Vec<f64>]| {
                let divided = partial_divisible(reported, &capacity);
                let least = divided.kept.iter().copied().fold(1.0, f64::min);
                assert!(least >= libm::exp(-1.0), "{case}: {divided:?}");
                divided.kept[0] * worth(&truth[0], &divided.best[0])
            };
            let honest = gets(&truth);
            let mut reported = truth.clone();
            reported[0] = values(&mut dice, classes);
            most = most.max(gets(&reported) / honest - 1.0);
        }
        assert!(most <= 1e-4, "a misreport gains {most}");
    }

    #[test]
    fn alike_bidders_keep_the_part_that_theory_says() {
        for bidders in 2..=8_u8 {
            let divided = partial_divisible(&vec![vec![1.0, 2.0]; usize::from(bidders)], &[3.0, 5.0]);
            let n = f64::from(bidders);
            let theory = libm::pow((n - 1.0) / n, n - 1.0);
            assert!(divided.kept.iter().all(|kept| (kept - theory).abs() < 1e-9), "{divided:?}");
        }
    }
}
