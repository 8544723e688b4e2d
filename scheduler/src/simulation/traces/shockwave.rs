//! Shockwave's traces: twelve columns separated by tabs, without a header, and the profile that says how long jobs run.
//!
//! The profile (`job_id, exclusive_s, segments, ...`) holds the time a job needs alone, changes of its batch size included:
//! `segments` are runs of `EPOCHSxBATCHxSECONDS_PER_EPOCH` joined by `|`. On one kind of GPU that is all there is to know:
//! a job's work is its exclusive seconds, done at one second per second whatever its batch size is at the time. Without a
//! profile, a table of throughputs (`worker_type, job_type, scale_factor, steps_per_s`) gives the time at the first batch size.

use super::table::{LineError, Row, by_tabs, with_header};
use std::collections::BTreeMap;

/// A line of the trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Model and batch size, the key of throughputs.
    pub job_type: String,
    /// GPUs, all or none.
    pub gang: u32,
    /// Training steps at the first batch size.
    pub steps: f64,
    /// How the batch size changes: `static`, `accordion` or `gns`.
    pub mode: String,
    /// Its share relative to others, above 0.
    pub weight: f64,
    /// When it comes, in seconds.
    pub arrival_s: f64,
}

/// A run of epochs with one batch size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// How many epochs.
    pub epochs: u32,
    /// Samples per step.
    pub batch: u32,
    /// Seconds per epoch.
    pub epoch_s: f64,
}

/// What the profile knows of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Seconds that it needs alone.
    pub exclusive_s: f64,
    /// How its batch size changes on the way.
    pub segments: Vec<Segment>,
}

const TRACE: [&str; 12] = [
    "job_type",
    "command",
    "working_directory",
    "num_steps_arg",
    "needs_data_dir",
    "total_steps",
    "scale_factor",
    "mode",
    "priority_weight",
    "SLO",
    "duration_s",
    "arrival_s",
];
const PROFILE: [&str; 3] = ["job_id", "exclusive_s", "segments"];
const THROUGHPUTS: [&str; 4] = ["worker_type", "job_type", "scale_factor", "steps_per_s"];

/// Reads the trace; a job's id is its place, from 0.
///
/// # Errors
/// A line that is not a job, or one that comes before its predecessor.
pub fn trace(text: &str) -> Result<Vec<Line>, LineError> {
    let rows = by_tabs(text, &TRACE)?;
    let lines: Vec<Line> = rows.iter().map(line).collect::<Result<_, _>>()?;
    match rows[..].iter().skip(1).zip(lines.windows(2)).find(|(_, pair)| pair[0].arrival_s > pair[1].arrival_s) {
        Some((row, _)) => Err(row.wrong(11, "a time in seconds at or after that of the line before")),
        None => Ok(lines),
    }
}

fn line(row: &Row<'_>) -> Result<Line, LineError> {
    let mode = row.text(7);
    if !["static", "accordion", "gns"].contains(&mode) {
        return Err(row.wrong(7, "`static`, `accordion` or `gns`"));
    }
    let weight = row.amount(8, "a weight above 0")?;
    if weight <= 0.0 {
        return Err(row.wrong(8, "a weight above 0"));
    }
    Ok(Line {
        job_type: row.text(0).to_owned(),
        gang: row.count(6, "a number of GPUs")?,
        steps: row.amount(5, "a number of steps")?,
        mode: mode.to_owned(),
        weight,
        arrival_s: row.amount(11, "a time in seconds")?,
    })
}

/// Reads the profile, by job.
///
/// # Errors
/// A line that is not a job's profile, or segments that do not add up to its exclusive time.
pub fn profile(text: &str) -> Result<BTreeMap<usize, Profile>, LineError> {
    let rows = with_header(text, &PROFILE)?;
    let profiles = rows.iter().map(|row| {
        let segments: Vec<Segment> = row.text(2).split('|').map(|text| segment(row, text)).collect::<Result<_, _>>()?;
        let exclusive_s = row.amount(1, "a time in seconds")?;
        let sum: f64 = segments.iter().map(|segment| f64::from(segment.epochs) * segment.epoch_s).sum();
        if (sum - exclusive_s).abs() > 0.001 * exclusive_s + 1.0 {
            return Err(row.wrong(1, &format!("what its segments add up to, {sum:.3} s")));
        }
        Ok((row.parse(0, "a job's place in the trace")?, Profile { exclusive_s, segments }))
    });
    profiles.collect()
}

fn segment(row: &Row<'_>, text: &str) -> Result<Segment, LineError> {
    let wrong = || LineError::new(row.line(), format!("`segments` has `{text}`, which is not EPOCHSxBATCHxSECONDS"));
    let mut parts = text.split('x');
    let mut next = || parts.next().ok_or_else(wrong);
    let (epochs, batch, epoch_s) = (next()?, next()?, next()?);
    let epoch_s: f64 = epoch_s.parse().map_err(|_| wrong())?;
    if parts.next().is_some() || !epoch_s.is_finite() || epoch_s <= 0.0 {
        return Err(wrong());
    }
    Ok(Segment { epochs: epochs.parse().map_err(|_| wrong())?, batch: batch.parse().map_err(|_| wrong())?, epoch_s })
}

/// Whether a file of throughputs is a profile: by its header.
#[must_use]
pub fn is_profile(text: &str) -> bool {
    text.lines().next().is_some_and(|header| header.split(',').any(|column| column.trim() == "exclusive_s"))
}

/// Seconds that each job of the trace needs alone on `worker`, from throughputs.
///
/// # Errors
/// A line that is not a throughput, or a job that none is listed for (its line of the trace).
pub fn exclusive_s(trace: &[Line], throughputs: &str, worker: &str) -> Result<Vec<f64>, LineError> {
    let mut steps_per_s: BTreeMap<(&str, u32), f64> = BTreeMap::new();
    let rows = with_header(throughputs, &THROUGHPUTS)?;
    for row in rows.iter().filter(|row| row.text(0) == worker) {
        let gang = row.count(2, "a number of GPUs")?;
        steps_per_s.insert((row.text(1), gang), row.amount(3, "a number of steps per second")?);
    }
    let times = trace.iter().enumerate().map(|(at, job)| {
        let speed = steps_per_s.get(&(job.job_type.as_str(), job.gang)).copied().filter(|speed| *speed > 0.0);
        speed.map(|speed| job.steps / speed).ok_or_else(|| {
            let (job_type, gang) = (&job.job_type, job.gang);
            LineError::new(at + 1, format!("the throughputs list no `{job_type}` on {gang} x {worker}"))
        })
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "LM (batch size 10)\tpython3 main.py\tlm\t--steps\t1\t1000\t2\tgns\t1\t-1.000000\t1418\t55\n";

    #[test]
    fn a_line_is_read_and_its_time_follows_from_throughputs() {
        let jobs = trace(LINE).expect("a job");
        assert_eq!((jobs[0].gang, jobs[0].mode.as_str(), jobs[0].arrival_s), (2, "gns", 55.0));
        let listed = "worker_type,job_type,scale_factor,steps_per_s\nv100,LM (batch size 10),2,4\n";
        assert_eq!(exclusive_s(&jobs, listed, "v100"), Ok(vec![250.0]));
        let missing = exclusive_s(&jobs, listed, "k80").expect_err("not listed");
        assert_eq!(missing.to_string(), "line 1: the throughputs list no `LM (batch size 10)` on 2 x k80");
    }

    #[test]
    fn a_profile_must_add_up() {
        let read = profile("job_id,exclusive_s,segments\n0,50.0,2x10x20.0|1x20x10.0\n").expect("a profile");
        assert_eq!(read[&0].segments[1], Segment { epochs: 1, batch: 20, epoch_s: 10.0 });
        let wrong = profile("job_id,exclusive_s,segments\n0,80.0,2x10x20.0|1x20x10.0\n").expect_err("30 s too many");
        assert!(wrong.to_string().contains("add up to, 50.000 s"), "{wrong}");
        let wrong = profile("job_id,exclusive_s,segments\n0,80.0,2x10\n").expect_err("no seconds");
        assert_eq!(wrong.to_string(), "line 2: `segments` has `2x10`, which is not EPOCHSxBATCHxSECONDS");
    }

    #[test]
    fn eleven_columns_are_refused_with_the_number_expected() {
        let found = trace(&LINE.replace("\tgns", "")).expect_err("one short");
        let expected = "line 1: found 11 columns where 12 separated by tabs are expected";
        assert_eq!(found.to_string(), expected);
    }

    #[test]
    fn a_job_that_comes_before_its_predecessor_is_refused() {
        let text = format!("{LINE}{}", LINE.replace("\t55", "\t54"));
        assert!(trace(&text).expect_err("out of order").to_string().starts_with("line 2: `arrival_s` says `54`"));
    }
}
