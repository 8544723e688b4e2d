//! From single durations to rates and percentiles.

use std::time::Duration;

use serde::Serialize;

/// What some workers did in some time.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    latencies: Vec<Duration>,
    failures: u64,
    wall: Duration,
}

impl Figures {
    /// One that went well.
    pub fn note(&mut self, latency: Duration) {
        self.latencies.push(latency);
    }

    /// One that did not.
    pub fn fail(&mut self) {
        self.failures += 1;
    }

    /// Puts workers of one round together.
    #[must_use]
    pub fn merged(parts: Vec<Self>, wall: Duration) -> Self {
        let mut all = Self { wall, ..Self::default() };
        for part in parts {
            all.latencies.extend(part.latencies);
            all.failures += part.failures;
        }
        all
    }

    /// Puts rounds after one another.
    pub fn append(&mut self, round: &Self) {
        self.latencies.extend(&round.latencies);
        self.failures += round.failures;
        self.wall += round.wall;
    }

    /// Rate and percentiles.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        Summary {
            done: sorted.len(),
            failed: self.failures,
            per_second: float(sorted.len()) / self.wall.as_secs_f64().max(f64::EPSILON),
            p50_milliseconds: milliseconds(&sorted, 0.50),
            p99_milliseconds: milliseconds(&sorted, 0.99),
        }
    }
}

/// Figures to print.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// How many went well.
    pub done: usize,
    /// How many did not.
    pub failed: u64,
    /// Those that went well, per second.
    pub per_second: f64,
    /// Half took longer.
    pub p50_milliseconds: f64,
    /// One in a hundred took longer.
    pub p99_milliseconds: f64,
}

/// Nearest rank.
fn milliseconds(sorted: &[Duration], probability: f64) -> f64 {
    let rank = (probability * float(sorted.len())).ceil().max(1.0) - 1.0;
    sorted
        .iter()
        .zip(0_u32..)
        .find(|(_, at)| f64::from(*at) >= rank)
        .map_or(0.0, |(found, _)| found.as_secs_f64() * 1e3)
}

#[expect(clippy::cast_precision_loss, reason = "counts of requests stay far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut figures = Figures::default();
        (1..=100).rev().for_each(|ms| figures.note(Duration::from_millis(ms)));
        let summary = Figures::merged(vec![figures], Duration::from_secs(2)).summary();
        assert_eq!((summary.p50_milliseconds, summary.p99_milliseconds), (50.0, 99.0));
        assert_eq!(summary.per_second, 50.0);
    }

    #[test]
    fn no_work_has_figures_too() {
        assert_eq!(Figures::default().summary().p99_milliseconds, 0.0);
    }
}
