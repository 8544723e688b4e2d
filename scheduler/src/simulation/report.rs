//! An outcome as text: the lines of `jobs.csv` and of `rounds.csv`.

use super::outcome::{JobOutcome, Outcome, RoundOutcome};
use std::fmt::Write as _;

/// The columns of `jobs.csv`.
pub const COLUMNS: &str =
    "job_id,arrival_s,first_start_s,finish_s,gang,work,completed,rho,rho_avg,max_lag_rounds,restarts";

/// The columns of `rounds.csv`: `utilisation` is busy time over all device time of the round, `worst_lag_s` the lag at its end.
pub const ROUND_COLUMNS: &str = "round,time_s,active,busy_devices,devices,utilisation,worst_lag_s";

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

/// `rounds.csv`: a header and a line per round, which holds until the next line. A line without a round's number says where nobody
/// is there: between two rounds, and after the last if everybody is done.
#[must_use]
pub fn rounds_csv(devices: u32, outcome: &Outcome) -> String {
    let mut text = format!("{ROUND_COLUMNS}\n");
    let all_done = outcome.jobs.iter().all(|job| job.finish.is_some());
    for (number, round) in outcome.course.iter().enumerate() {
        let RoundOutcome { from_s, active, busy_devices, worst_lag_s, .. } = round;
        let used = round.busy_device_s / (f64::from(devices) * round.lasts_s);
        let _ = writeln!(text, "{number},{from_s:.3},{active},{busy_devices},{devices},{used:.4},{worst_lag_s:.3}");
        let until_s = round.until_s();
        if outcome.course.get(number + 1).map_or(all_done, |next| next.from_s > until_s) {
            let _ = writeln!(text, ",{until_s:.3},0,0,{devices},0,0");
        }
    }
    text
}

fn field(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(String::new, |number| format!("{number:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(finish: Option<f64>) -> Outcome {
        let round = RoundOutcome { lasts_s: 360.0, active: 2, busy_devices: 3, ..RoundOutcome::default() };
        let course = vec![
            RoundOutcome { busy_device_s: 1080.0, worst_lag_s: 12.3456, ..round },
            RoundOutcome { from_s: 360.0, busy_device_s: 540.0, ..round },
            RoundOutcome { from_s: 1440.0, active: 1, busy_devices: 0, ..round },
        ];
        Outcome { jobs: vec![JobOutcome { finish, ..JobOutcome::default() }], course, ..Outcome::default() }
    }

    #[test]
    fn rounds_are_lines_and_so_is_the_time_when_nobody_is_there() {
        let lines = [
            ROUND_COLUMNS,
            "0,0.000,2,3,4,0.7500,12.346",
            "1,360.000,2,3,4,0.3750,0.000",
            ",720.000,0,0,4,0,0",
            "2,1440.000,1,0,4,0.0000,0.000",
            ",1800.000,0,0,4,0,0\n",
        ];
        assert_eq!(rounds_csv(4, &course(Some(1500.0))), lines.join("\n"));
        assert_eq!(rounds_csv(4, &course(None)), lines[..5].join("\n") + "\n", "somebody is left when it is cut off");
    }
}
