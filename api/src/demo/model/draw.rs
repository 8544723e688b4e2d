//! Seeded draws: an endless stream of arrivals that looks like the traces.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::{Mix, Model, ModelError};
use crate::demo::arrival::{Arrival, Kind, Work};

/// The stream. The same model, seed and rate give the same arrivals.
#[derive(Debug)]
pub struct Draw<'a> {
    model: &'a Model,
    random: StdRng,
    mean_gap_millis: f64,
    job_share: f64,
    at_millis: f64,
}

impl<'a> Draw<'a> {
    /// `job_share` of the wishes (0 to 1) are fair-share jobs, which the trace of rentals and bids does not know.
    #[must_use]
    pub fn new(model: &'a Model, seed: u64, mean_gap_millis: f64, job_share: f64) -> Self {
        Self { model, random: StdRng::seed_from_u64(seed), mean_gap_millis, job_share, at_millis: 0.0 }
    }

    /// The next arrival; each is at or after the one before.
    pub fn next_arrival(&mut self) -> Result<Arrival, ModelError> {
        let gap = self.model.quantiles("gap_of_mean_gap")?;
        // The stretch keeps the mean exact although the table has few points in its long tail.
        self.at_millis += gap.at(self.random.random()) / gap.mean() * self.mean_gap_millis;
        let kind = self.kind()?;
        let gang = number(self.pick(&format!("gang_{}", kind.name()))?);
        let share_milli = if gang == 1 && kind != Kind::Job {
            number(self.pick(&format!("share_milli_{}", kind.name()))?)
        } else {
            1000
        };
        let classes = self.classes()?;
        let work = self.work(kind, gang)?;
        Ok(Arrival { at_millis: whole(self.at_millis), kind, gang, share_milli, classes, work })
    }

    fn kind(&mut self) -> Result<Kind, ModelError> {
        if self.random.random::<f64>() < self.job_share {
            return Ok(Kind::Job);
        }
        Ok(if self.pick("kind")? == Kind::Bid.name() { Kind::Bid } else { Kind::OnDemand })
    }

    fn classes(&mut self) -> Result<Vec<String>, ModelError> {
        let models = self.pick("models")?;
        Ok(if models == "any" { Vec::new() } else { models.split('|').map(str::to_owned).collect() })
    }

    fn work(&mut self, kind: Kind, gang: u32) -> Result<Work, ModelError> {
        let model = self.model;
        let probability = self.random.random();
        if kind != Kind::Job {
            let quantiles = model.quantiles(&format!("duration_seconds_{}", kind.name()))?;
            return Ok(Work::Seconds(whole(quantiles.at(probability)).max(1)));
        }
        let seconds = model.quantiles("duration_seconds_job_on_v100")?.at(probability);
        let workload = self.workload_for(gang)?;
        let speed = model
            .speeds
            .steps_per_second(workload, gang, "v100-16gb")
            .ok_or_else(|| ModelError::Missing(format!("a speed of {workload} on {gang} V100")))?;
        let steps = whole(seconds * speed).max(1);
        Ok(Work::Steps { workload: workload.to_owned(), steps, v100_seconds: whole(seconds) })
    }

    /// Only workloads that were measured on so many devices.
    fn workload_for(&mut self, gang: u32) -> Result<&'a str, ModelError> {
        let model = self.model;
        let mut fitting = Mix::default();
        let all = model.mix("workload")?;
        for (value, weight) in all.entries() {
            if model.speeds.gangs(value).any(|measured| measured == gang) {
                fitting.push(value, weight);
            }
        }
        let ticket = self.random.random_range(0..fitting.total().max(1));
        let name = fitting.owner_of(ticket).map(str::to_owned);
        name.and_then(|name| all.values().find(|value| *value == name))
            .ok_or_else(|| ModelError::Missing(format!("a workload measured on {gang} devices")))
    }

    fn pick(&mut self, mix: &str) -> Result<&'a str, ModelError> {
        let found = self.model.mix(mix)?;
        let ticket = self.random.random_range(0..found.total().max(1));
        found.owner_of(ticket).ok_or_else(|| ModelError::Missing(format!("a value in the mix {mix}")))
    }
}

/// Mixes of numbers hold nothing else; a word counts as one device.
fn number(value: &str) -> u32 {
    value.parse().unwrap_or(1)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is meant"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(seed: u64, count: usize) -> Vec<Arrival> {
        let model = Model::built_in().expect("the tables are part of the program");
        let mut draw = Draw::new(&model, seed, 1000.0, 0.1);
        (0..count).map(|_| draw.next_arrival().expect("the tables are complete")).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_arrivals_and_another_seed_others() {
        assert_eq!(draws(1, 200), draws(1, 200));
        assert_ne!(draws(1, 200), draws(2, 200));
    }

    #[test]
    fn arrivals_are_in_order_and_as_frequent_as_asked() {
        let arrivals = draws(3, 20_000);
        assert!(arrivals.windows(2).all(|pair| pair[0].at_millis <= pair[1].at_millis));
        let mean = arrivals[19_999].at_millis / 20_000;
        assert!((950..1050).contains(&mean), "a mean gap of {mean} ms");
    }
}
