//! Partial allocation of divisible classes to bidders whose values are homogeneous of degree one: where its theory holds.
//!
//! `V_i(x) = sum_k v_ik x_ik`. The division with the greatest product of values is the market equilibrium with equal
//! budgets (Eisenberg and Gale 1959); the solver finds it, and what each bidder's presence costs the others. Each then
//! keeps `c_i` of its part, see [`super::partial_allocation`]; `c_i >= 1/e`, and no report of other values pays.
//!
//! Rounds divide whole devices, whose values are not homogeneous; this is what the claims about truth are tested on.

use crate::solve::{Aim, Program, Row, SolveError, Supply, payments, solve};

/// Who would get what, and which part of it each keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Divided {
    /// `x*`: by bidder and class, before payment.
    pub best: Vec<Vec<f64>>,
    /// `c`.
    pub kept: Vec<f64>,
}

/// Divides `capacity` among bidders with these values per device; each values at least one class.
///
/// # Errors
/// A number without meaning, or that no certified answer was found.
pub fn partial_divisible(values: &[Vec<f64>], capacity: &[f64]) -> Result<Divided, SolveError> {
    // As if each bidder could run everything at once, so that nobody's time is ever scarce.
    let all: f64 = capacity.iter().sum();
    let program = Program {
        rows: vec![Row { aim: Aim::Log { weight: 1.0 }, gang: all, floor: 0.0 }; values.len()],
        speeds: values.concat(),
        supply: capacity.iter().map(|devices| Supply { free: *devices, steps: Vec::new() }).collect(),
    };
    let answer = solve(&program)?;
    let kept = payments(&program, &answer)?.log_kept;
    Ok(Divided {
        best: answer.x.chunks(capacity.len().max(1)).map(|row| row.iter().map(|x| x * all).collect()).collect(),
        kept: kept.into_iter().map(libm::exp).collect(),
    })
}

/// What a bundle is worth.
#[must_use]
pub fn worth(values: &[f64], devices: &[f64]) -> f64 {
    values.iter().zip(devices).map(|(value, devices)| value * devices).sum()
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
                let divided = partial_divisible(reported, &capacity).expect("proofs");
                let least = divided.kept.iter().copied().fold(1.0, f64::min);
                assert!(least >= libm::exp(-1.0), "{case}: {divided:?}");
                divided.kept[0] * worth(&truth[0], &divided.best[0])
            };
            let honest = gets(&truth);
            let mut reported = truth.clone();
            reported[0] = values(&mut dice, classes);
            most = most.max(gets(&reported) / honest - 1.0);
        }
        println!("a misreport gains {most:e} at most");
        assert!(most <= 1e-9, "a misreport gains {most}");
    }

    #[test]
    fn alike_bidders_keep_the_part_that_theory_says() {
        for bidders in 2..=8_u8 {
            let divided = partial_divisible(&vec![vec![1.0, 2.0]; usize::from(bidders)], &[3.0, 5.0]).expect("proofs");
            let n = f64::from(bidders);
            let theory = libm::pow((n - 1.0) / n, n - 1.0);
            assert!(divided.kept.iter().all(|kept| (kept - theory).abs() < 1e-9), "{divided:?}");
        }
    }
}
