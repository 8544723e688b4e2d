//! PCS' traces of applications: `app_id, submit_time, service, num_jobs, sleep_time, model_name`, and its distributions.
//!
//! `service` is in GPU-seconds for the whole application. The trace says how many jobs an application has but not how many
//! GPUs each can use, so the caller does.

use super::table::{LineError, with_header};

/// An application: divisible work that at most so many GPUs can share.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    /// Its name in the trace.
    pub name: String,
    /// When it comes, in seconds.
    pub arrival_s: f64,
    /// GPU-seconds.
    pub work: f64,
    /// GPUs that it can use at once.
    pub parallel: u32,
}

const COLUMNS: [&str; 4] = ["app_id", "submit_time", "service", "num_jobs"];

/// Reads the applications; each job can use `gpus_per_job`.
///
/// # Errors
/// A line that is not an application.
pub fn apps(text: &str, gpus_per_job: u32) -> Result<Vec<App>, LineError> {
    let rows = with_header(text, &COLUMNS)?;
    let mut apps: Vec<App> = rows
        .iter()
        .map(|row| {
            let work = row.amount(2, "a number of GPU-seconds above 0")?;
            if work <= 0.0 {
                return Err(row.wrong(2, "a number of GPU-seconds above 0"));
            }
            Ok(App {
                name: row.text(0).to_owned(),
                arrival_s: row.amount(1, "a time in seconds")?,
                work,
                parallel: row.count(3, "a number of jobs")?.saturating_mul(gpus_per_job),
            })
        })
        .collect::<Result<_, _>>()?;
    apps.sort_by(|a, b| a.arrival_s.total_cmp(&b.arrival_s));
    Ok(apps)
}

/// A distribution by its cumulative probabilities: value and the probability of at most that value.
#[derive(Debug, Clone, PartialEq)]
pub struct Cdf {
    points: Vec<(f64, f64)>,
}

impl Cdf {
    /// Reads two columns, value and cumulative probability, below a line that starts with `#`.
    ///
    /// # Errors
    /// A line that is not two numbers, a probability that falls, or a last one that is not 1.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut last = 1;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            last = at + 1;
            let pair = line.split_once(',').and_then(|(value, probability)| {
                Some((value.trim().parse::<f64>().ok()?, probability.trim().parse::<f64>().ok()?))
            });
            let (value, probability) = pair
                .filter(|(value, probability)| value.is_finite() && probability.is_finite())
                .ok_or_else(|| LineError::new(last, format!("`{line}` is not a value, a comma and a probability")))?;
            if points.last().is_some_and(|(before, below)| *before > value || *below > probability) {
                return Err(LineError::new(last, "values and probabilities must not fall"));
            }
            points.push((value, probability));
        }
        match points.last() {
            Some((_, probability)) if (probability - 1.0).abs() < 1e-9 => Ok(Self { points }),
            _ => Err(LineError::new(last, "the last probability is not 1")),
        }
    }

    /// The value at a probability, linear between the points.
    #[must_use]
    pub fn between(&self, probability: f64) -> f64 {
        let above = self.points.partition_point(|(_, below)| *below < probability);
        match (above.checked_sub(1).map(|at| &self.points[at]), self.points.get(above)) {
            (Some((low, below)), Some((high, upto))) => low + (high - low) * (probability - below) / (upto - below),
            (None, Some((value, _))) | (Some((value, _)), None) => *value,
            (None, None) => 0.0,
        }
    }

    /// The least listed value whose cumulative probability reaches `probability`: for values between which nothing lies.
    #[must_use]
    pub fn listed(&self, probability: f64) -> f64 {
        let reaches = |point: &&(f64, f64)| point.1 >= probability && point.1 > 0.0;
        self.points.iter().find(reaches).or(self.points.last()).map_or(0.0, |(value, _)| *value)
    }

    /// The mean of [`Cdf::between`] over all probabilities.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.points.windows(2).map(|pair| (pair[1].1 - pair[0].1) * (pair[0].0 + pair[1].0) / 2.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_can_use_its_jobs_times_their_gpus() {
        let text = "app_id,submit_time,service,num_jobs,sleep_time,model_name\n7,6.0,16602.5,3,6.0,Vgg\n";
        let app = App { name: "7".into(), arrival_s: 6.0, work: 16_602.5, parallel: 6 };
        assert_eq!(apps(text, 2), Ok(vec![app]));
    }

    #[test]
    fn work_that_is_not_a_number_is_refused_with_its_line() {
        let found = apps("app_id,submit_time,service,num_jobs\n0,0,abc,1\n", 1).expect_err("not a number");
        let expected = "line 2: `service` says `abc`, which is not a number of GPU-seconds above 0";
        assert_eq!(found.to_string(), expected);
    }

    #[test]
    fn a_distribution_is_linear_between_its_points_or_keeps_to_them() {
        let cdf = Cdf::parse("#gpus-per-job,cdf\n1,0\n1,0.2\n2,0.4\n4,1.0").expect("a distribution");
        assert_eq!([0.1, 0.3, 0.7].map(|p| cdf.between(p)), [1.0, 1.5, 3.0]);
        assert_eq!([0.1, 0.3, 0.7, 1.0].map(|p| cdf.listed(p)), [1.0, 2.0, 4.0, 4.0]);
        assert!((cdf.mean() - (0.2 + 0.3 + 1.8)).abs() < 1e-12);
    }

    #[test]
    fn a_distribution_that_does_not_end_at_one_is_refused() {
        let found = Cdf::parse("#secs,cdf\n1,0\n2,0.5").expect_err("half a distribution");
        assert_eq!(found.to_string(), "line 3: the last probability is not 1");
    }
}
