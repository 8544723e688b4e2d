//! Reading other people's traces, in the forms they are published in. One file per form; strict about each of them.

mod gavel;
mod openb;
mod pcs;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::arrival::{Arrival, NodeShape};
use super::model::Speeds;

/// The form of a trace file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Node list or pod list of the OpenB trace, as CSV
    Openb,
    /// Applications in the form of PCS, as CSV
    Pcs,
    /// Jobs in the form of Gavel, ten columns split by tabs
    Gavel,
}

impl Format {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Openb => "openb",
            Self::Pcs => "pcs",
            Self::Gavel => "gavel",
        }
    }
}

/// What a trace says. Either part may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// Supply.
    pub nodes: Vec<NodeShape>,
    /// Demand, in order of arrival.
    pub arrivals: Vec<Arrival>,
}

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file itself.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Not the table it should be.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: csv::Error,
    },
    /// A line says something impossible or unknown.
    #[error("{} line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
}

/// Reads files of one form; lists of nodes and of demand may be separate files. A folder stands for its `.csv` files.
pub fn read(paths: &[PathBuf], format: Format, speeds: &Speeds) -> Result<Trace, TraceError> {
    let mut trace = Trace::default();
    for path in &files(paths)? {
        let text = std::fs::read_to_string(path).map_err(|source| TraceError::File { path: path.clone(), source })?;
        match format {
            Format::Openb => openb::read(path, &text, &mut trace)?,
            Format::Pcs => pcs::read(path, &text, &mut trace)?,
            Format::Gavel => gavel::read(path, &text, speeds, &mut trace)?,
        }
    }
    trace.arrivals.sort_by_key(|arrival| arrival.at_millis);
    let first = trace.arrivals.first().map_or(0, |arrival| arrival.at_millis);
    for arrival in &mut trace.arrivals {
        arrival.at_millis -= first;
    }
    Ok(trace)
}

fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|source| TraceError::File { path: path.clone(), source })?;
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        found.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The records of a file, each with its line.
fn records<T: serde::de::DeserializeOwned>(
    path: &Path,
    reader: &mut csv::Reader<&[u8]>,
) -> Result<Vec<(u64, T)>, TraceError> {
    let table = |source| TraceError::Table { path: path.to_owned(), source };
    let headers = if reader.has_headers() { Some(reader.headers().map_err(table)?.clone()) } else { None };
    let mut found = Vec::new();
    for record in reader.records() {
        let record = record.map_err(table)?;
        let line = record.position().map_or(0, csv::Position::line);
        found.push((line, record.deserialize(headers.as_ref()).map_err(table)?));
    }
    Ok(found)
}

fn line_error(path: &Path, line: u64, what: impl Into<String>) -> TraceError {
    TraceError::Line { path: path.to_owned(), line, what: what.into() }
}

/// Whole seconds from an instant to a later one.
fn seconds_between(from: f64, to: u64) -> Option<u64> {
    whole(float(to) - from)
}

/// Rounded; `None` for what is negative or no number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked, and saturating beyond u64")]
fn whole(value: f64) -> Option<u64> {
    (value.is_finite() && value >= 0.0).then(|| value.round() as u64)
}

#[expect(clippy::cast_precision_loss, reason = "counts and seconds of traces stay far below 2^53")]
fn float(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::arrival::{Kind, Work};
    use crate::demo::model::Model;

    fn parse(format: Format, text: &str) -> Result<Trace, TraceError> {
        let model = Model::built_in().expect("the tables are part of the program");
        let mut trace = Trace::default();
        let path = Path::new("trace");
        match format {
            Format::Openb => openb::read(path, text, &mut trace),
            Format::Pcs => pcs::read(path, text, &mut trace),
            Format::Gavel => gavel::read(path, text, &model.speeds, &mut trace),
        }?;
        Ok(trace)
    }

    const PODS: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";

    #[test]
    fn openb_pods_keep_their_share_their_models_and_their_time_from_scheduling() {
        let text = format!(
            "{PODS}a,1,1,1,460,V100M16|V100M32,BE,Failed,10,100,40\nb,1,1,0,0,,LS,Running,1,2,1\nc,1,1,1,1000,,LS,Pending,1,2,\n"
        );
        let trace = parse(Format::Openb, &text).expect("a good file");
        let [only] = trace.arrivals.as_slice() else { panic!("pods without a GPU or a start are left out") };
        assert_eq!((only.kind, only.gang, only.share_milli), (Kind::Bid, 1, 460));
        assert_eq!(only.classes, ["v100-16gb", "v100-32gb"]);
        assert_eq!(only.work, Work::Seconds(60));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let text = format!("{PODS}a,1,1,1,460,,BE,Failed,10,100,40\nb,1,1,1,1000,X9,BE,Failed,10,100,40\n");
        let error = parse(Format::Openb, &text).expect_err("an unknown model");
        assert_eq!(error.to_string(), "trace line 3: unknown model \"X9\"");
    }

    #[test]
    fn gavel_jobs_carry_steps_and_their_time_on_v100() {
        let text = "ResNet-50 (batch size 64)\tpython3 x %s\tdir\t--n\t1\t4390\t1\t1\t-1.000000\t519\n";
        let trace = parse(Format::Gavel, text).expect("a good file");
        let expected = Work::Steps { workload: "resnet-50".into(), steps: 4390, v100_seconds: 1000 };
        assert_eq!(trace.arrivals[0].work, expected);
    }

    #[test]
    fn pcs_applications_are_jobs_on_one_device() {
        let trace =
            parse(Format::Pcs, "app_id,submit_time,service,num_jobs,sleep_time,model_name\n0,6.0,16602.0,1,6.0,V\n")
                .expect("a good file");
        assert_eq!((trace.arrivals[0].at_millis, trace.arrivals[0].gang), (6000, 1));
        assert!(parse(Format::Pcs, "app_id,submit_time,service\n0,6.0,-1\n").is_err());
    }
}
