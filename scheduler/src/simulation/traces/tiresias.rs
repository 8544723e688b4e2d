//! Tiresias' job lists: `job_id, num_gpu, submit_time, iterations, model_name, duration, interval`, times in seconds.

use super::table::{LineError, with_header};

/// A gang that runs for a known time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedJob {
    /// Its name in the trace.
    pub name: String,
    /// GPUs, all or none.
    pub gang: u32,
    /// When it comes, in seconds.
    pub arrival_s: f64,
    /// How long it runs alone, in seconds.
    pub duration_s: f64,
    /// Its GPU models, empty for any.
    pub models: Vec<String>,
}

const COLUMNS: [&str; 4] = ["job_id", "num_gpu", "submit_time", "duration"];

/// Reads the list.
///
/// # Errors
/// A line that is not a job.
pub fn jobs(text: &str) -> Result<Vec<TimedJob>, LineError> {
    let rows = with_header(text, &COLUMNS)?;
    let jobs = rows.iter().map(|row| {
        Ok(TimedJob {
            name: row.text(0).to_owned(),
            gang: row.count(1, "a number of GPUs")?,
            arrival_s: row.amount(2, "a time in seconds")?,
            duration_s: row.amount(3, "a duration in seconds")?,
            models: Vec::new(),
        })
    });
    jobs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_read_whatever_ends_the_line() {
        let jobs =
            jobs("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\r\n1,8,30,133,vgg11,147,23\r\n");
        let expected = TimedJob { name: "1".into(), gang: 8, arrival_s: 30.0, duration_s: 147.0, models: Vec::new() };
        assert_eq!(jobs, Ok(vec![expected]));
    }

    #[test]
    fn a_gang_of_nothing_is_refused_with_its_line() {
        let found = jobs("job_id,num_gpu,submit_time,duration\n0,1,0,5\n\n1,0,30,147\n").expect_err("no gang");
        assert_eq!(found.to_string(), "line 4: `num_gpu` says `0`, which is not a number of GPUs");
    }

    #[test]
    fn a_missing_column_is_named() {
        let found = jobs("job_id,num_gpu,submit_time\n0,1,0\n").expect_err("no duration");
        assert!(found.to_string().starts_with("line 1: the header has no column `duration`"), "{found}");
    }
}
