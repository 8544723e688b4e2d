//! A distribution given by its values at some probabilities, with straight lines in between.

/// Value by probability, from 0 to 1, both rising.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantiles(Vec<(f64, f64)>);

impl Quantiles {
    /// `None` unless the points reach from 0 to 1 and rise.
    #[must_use]
    pub fn new(points: Vec<(f64, f64)>) -> Option<Self> {
        let rises = points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
        let whole = points.first()?.0 == 0.0 && points.last()?.0 == 1.0;
        (rises && whole).then_some(Self(points))
    }

    /// The value below which the part `probability` (0 to 1) lies.
    #[must_use]
    pub fn at(&self, probability: f64) -> f64 {
        let after = self.0.partition_point(|&(p, _)| p < probability).clamp(1, self.0.len() - 1);
        let ((p0, v0), (p1, v1)) = (self.0[after - 1], self.0[after]);
        ((probability - p0) / (p1 - p0)).clamp(0.0, 1.0).mul_add(v1 - v0, v0)
    }

    /// The mean of what [`Self::at`] gives for an evenly spread probability.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.0.windows(2).map(|pair| (pair[1].0 - pair[0].0) * f64::midpoint(pair[0].1, pair[1].1)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_points_lies_a_straight_line_and_the_mean_is_its_area() {
        let quantiles = Quantiles::new(vec![(0.0, 0.0), (0.5, 10.0), (1.0, 30.0)]).expect("a distribution");
        let seen = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| quantiles.at(p));
        assert_eq!(seen, [0.0, 5.0, 10.0, 20.0, 30.0]);
        assert_eq!(quantiles.mean(), 12.5);
    }

    #[test]
    fn what_falls_or_stops_short_is_no_distribution() {
        assert_eq!(Quantiles::new(vec![(0.0, 1.0), (1.0, 0.0)]), None);
        assert_eq!(Quantiles::new(vec![(0.0, 1.0), (0.9, 2.0)]), None);
        assert_eq!(Quantiles::new(Vec::new()), None);
    }
}
