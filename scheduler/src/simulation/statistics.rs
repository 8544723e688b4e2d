//! Figures over many jobs: what every report of the simulator sums up with. Of nothing, all of them are 0.

/// The mean.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    // An empty sum is -0.0.
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / count(values.len()) }
}

/// A percentile, linear between ranks; `part` from 0 to 1. The values are in ascending order.
#[must_use]
pub fn percentile(sorted: &[f64], part: f64) -> f64 {
    let place = part * count(sorted.len().saturating_sub(1));
    let below = sorted.iter().zip(0_u32..).take_while(|(_, rank)| f64::from(*rank) <= place).last();
    let Some((value, rank)) = below else { return 0.0 };
    let above = sorted.iter().zip(0_u32..).find(|(_, other)| *other > rank).map_or(*value, |(above, _)| *above);
    value + (above - value) * (place - f64::from(rank))
}

/// How many, as a number to divide by.
#[must_use]
pub fn count(things: usize) -> f64 {
    u32::try_from(things).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_lies_between_the_ranks_around_it() {
        assert_eq!(percentile(&[1.0, 2.0, 4.0], 0.75).to_bits(), 3.0_f64.to_bits());
        assert_eq!(percentile(&[1.0, 2.0, 4.0], 1.0).to_bits(), 4.0_f64.to_bits());
    }

    #[test]
    fn figures_of_nothing_are_zero() {
        assert_eq!(percentile(&[], 0.95).to_bits(), 0.0_f64.to_bits());
        assert_eq!(mean(&[]).to_bits(), 0.0_f64.to_bits());
    }
}
