//! An outcome as text: the lines of `jobs.csv`.

use super::outcome::{JobOutcome, Outcome};
use std::fmt::Write as _;

/// The columns of `jobs.csv`.
pub const COLUMNS: &str =
    "job_id,arrival_s,first_start_s,finish_s,gang,work,completed,rho,rho_avg,max_lag_rounds,restarts";

/// `jobs.csv`: a header and a line per job, in the order of the workload. What did not happen is an empty field.
#[must_use]
pub fn jobs_csv(workload: &super::Workload, outcome: &Outcome) -> String {
    let mut text = format!("{COLUMNS}\n");
    for (number, (job, told)) in workload.jobs.iter().zip(&outcome.jobs).enumerate() {
        let _ = writeln!(
            text,
            "{number},{},{},{},{},{},{},{},{},{:.3},{}",
            told.arrival,
            field(told.first_start, 3),
            field(told.finish, 3),
            job.gang,
            job.work,
            told.finish.is_some(),
            field(JobOutcome::rho(told), 6),
            field(JobOutcome::rho_avg(told), 6),
            told.max_lag_rounds,
            told.restarts,
        );
    }
    text
}

fn field(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(String::new, |number| format!("{number:.decimals$}"))
}
